import type { ResourceId } from '~/core'

/** A record that a search has found. */
export type Hit = { id: string; title: string; note: string; to: string; state?: unknown }

/** A kind of record, for search and shortcuts. Each feature with records exports one from its `kind.ts`. */
export type Kind = {
  resource: ResourceId
  title: string
  route: string
  icon: string
  /** The action that opens the form of a new record, and other words by which it is found. */
  create: { title: string; also: string }
  /** Searches on the server, like the list page. Missing if the records can't be searched. */
  find?: (text: string, signal: AbortSignal) => Promise<{ found: Hit[]; total: number }>
}

/** Results per kind. The list page shows all of them. */
export const MAX_RESULTS = 5

/** Returns the query of the first page of a search. */
export const firstPage = (search: string) => ({ page: 1, limit: MAX_RESULTS, search })

export const toResults = <T>(list: { data: T[]; totalItems: number }, toFound: (record: T) => Hit) => ({
  found: list.data.map(toFound),
  total: list.totalItems,
})
