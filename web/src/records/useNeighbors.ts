import { useMemo } from 'react'
import { type Core, core } from '~/core'
import type { ListQuery } from '~/lib/query'
import { useRequest } from '~/lib/request'
import { useOriginList } from './RecordLink'
import type { ListPage } from './useRecords'

/** How the records of a resource are listed: their requests and URLs. */
export type RecordSource<R, Q extends ListQuery = ListQuery> = {
  /** Parses the query of the list's URL. */
  read: (params: URLSearchParams) => Q
  list: (core: Core, query: Q) => Promise<ListPage<R>>
  /** Returns the URL of the list for a query. */
  address: (query: Q) => string
  idOf: (record: R) => string
  /** Returns the path of a record's page. */
  pathOf: (id: string) => string
}

/** The path of the record before or after another one, and the URL of the list's page that contains it. */
export type Neighbor = { path: string; list: string }

export type Neighbors = { previous?: Neighbor; next?: Neighbor }

/**
 * Returns the records before and after the record `id` in the list from which the user opened it. Undefined while they
 * load, if the user came from elsewhere, and if that page of the list no longer contains the record.
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
  // The user came from a list of another resource.
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
