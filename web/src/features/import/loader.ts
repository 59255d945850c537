import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

/** The loader of the page with the list of imports. */
export const importsLoader = listLoader(
  params => ({ ...readQuery(params), search: '' }),
  async (core, { page }) => {
    const { data, pagination } = await core.importList(page, core.importsPageSize())
    const { currentPage, totalPages, totalImports } = pagination
    return { data, totalItems: totalImports, totalPages, currentPage }
  },
)
