import { useMemo } from 'react'
import { core, type Records } from '~/core'
import type { ListQuery } from '~/lib/query'
import { useRequest } from '~/lib/request'
import type { RecordKind } from './kind'
import { useOriginList } from './RecordLink'

/** The path of the record before or after another one, and the URL of the list's page that contains it. */
export type Neighbor = { path: string; list: string }

export type Neighbors = { previous?: Neighbor; next?: Neighbor }

/**
 * Returns the records before and after the record `id` in the list from which the user opened it. Undefined while they
 * load, if the user came from elsewhere, and if that page of the list no longer contains the record.
 */
export function useNeighbors<L extends keyof Records, Q extends ListQuery, R>(
  kind: RecordKind<L, Q, R>,
  id: string,
): Neighbors | undefined {
  const origin = useOriginList()
  const request = useMemo(
    () => (origin === undefined ? undefined : () => findNeighbors(kind, origin, id)),
    [kind, origin, id],
  )
  const { outcome } = useRequest(request)
  return outcome?.ok ? outcome.value : undefined
}

async function findNeighbors<L extends keyof Records, Q extends ListQuery, R>(
  { read, list, address, idOf, pathOf }: RecordKind<L, Q, R>,
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
