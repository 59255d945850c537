import { useMemo } from 'react'
import { type Core, core } from '~/core'
import type { ListQuery } from '~/lib/query'
import { useRequest } from '~/lib/request'
import { useOriginList } from './RecordLink'
import type { ListPage } from './useRecords'

/** How a kind of records is listed. */
export type RecordSource<R, Q extends ListQuery = ListQuery> = {
  /** Parses the query of the list's URL. */
  read: (params: URLSearchParams) => Q
  list: (core: Core, query: Q) => Promise<ListPage<R>>
  /** Returns the URL of the list's page that shows a query. */
  address: (query: Q) => string
  idOf: (record: R) => string
  /** Returns the path of a record's page. */
  pathOf: (id: string) => string
}

/** A record before or after another one, and the URL of the page of the list that it is on. */
export type Neighbor = { path: string; list: string }

export type Neighbors = { previous?: Neighbor; next?: Neighbor }

/**
 * Returns the records before and after this one in the list that the user came from; undefined while they load, and if
 * the user came from elsewhere or the list no longer has the record where it was.
 */
export function useNeighbors<R, Q extends ListQuery>(
  source: RecordSource<R, Q>,
  id: string,
): Neighbors | undefined {
  const origin = useOriginList()
  const request = useMemo(
    () => (origin === undefined ? undefined : () => findNeighbors(source, origin, id)),
    [source, origin, id],
  )
  const { outcome } = useRequest(request)
  return outcome?.ok ? outcome.value : undefined
}

async function findNeighbors<R, Q extends ListQuery>(
  { read, list, address, idOf, pathOf }: RecordSource<R, Q>,
  origin: string,
  id: string,
): Promise<Neighbors | undefined> {
  const query = read(new URL(origin, location.origin).searchParams)
  // A record may also be reached from a list of other records.
  if (address(query).split('?')[0] !== origin.split('?')[0]) return undefined
  const load = (page: number) => list(core, { ...query, page })
  const { data, totalPages } = await load(query.page)
  const at = data.findIndex(record => idOf(record) === id)
  if (at < 0) return undefined
  const neighbor = (record: R | undefined, page: number) =>
    record && { path: pathOf(idOf(record)), list: address({ ...query, page }) }
  const [before, after] = [query.page - 1, query.page + 1]
  const isLast = at === data.length - 1
  return {
    previous:
      at > 0
        ? neighbor(data[at - 1], query.page)
        : before >= 1
          ? neighbor((await load(before)).data.at(-1), before)
          : undefined,
    next: !isLast
      ? neighbor(data[at + 1], query.page)
      : after <= totalPages
        ? neighbor((await load(after)).data[0], after)
        : undefined,
  }
}
