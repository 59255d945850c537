import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

/** Loads a page of imports. */
export const importsLoader = listLoader(
  params => ({ ...readQuery(params), search: '' }),
  async (core, { page }) => {
    const { data, pagination } = await core.importList(page, core.importsPageSize())
    const { currentPage, totalPages, totalImports } = pagination
    return { data, totalItems: totalImports, totalPages, currentPage }
  },
)
