import type { ListPage, TrashEntry } from '~/core'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

export const PAGE_SIZE = 20

/** The query of the trash, as in the URL. */
export type TrashQuery = ListQuery & {
  /** The resource whose records are shown; empty for all resources whose records the user may restore. */
  resource: string
}

const readTrashQuery = (params: URLSearchParams): TrashQuery => ({
  ...readQuery(params),
  resource: (params.get('resource') ?? '').trim(),
})

/** Returns the URL of the trash for a query. */
export const trashAddress = ({ page, search, resource }: TrashQuery) =>
  listAddress(paths.trash, { page, search }, { resource })

export const trashLoader = listLoader(readTrashQuery, async (core, { page, search, resource }) => {
  const query = new URLSearchParams({ resource, search, page: String(page), limit: String(PAGE_SIZE) })
  return (await core.sendJson('GET', `/api/trash?${query}`, undefined)) as ListPage<TrashEntry>
})
