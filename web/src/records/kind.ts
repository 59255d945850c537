import type { ResourceId } from '~/core'

/** A record that a search has found. */
export type Hit = { id: string; title: string; note: string; to: string; state?: unknown }

/** A kind of record, for the command palette. Each feature with records exports one from its `kind.ts`. */
export type Kind = {
  resource: ResourceId
  title: string
  route: string
  icon: string
  /** The title of the palette's action that creates a record, and further words by which it is found. */
  create: { title: string; also: string }
  /** Searches the records on the server, like the list page. Undefined if they can't be searched. */
  find?: (text: string, signal: AbortSignal) => Promise<{ found: Hit[]; total: number }>
}

/** Maximum number of results per kind of record. All results are on the list page. */
export const MAX_RESULTS = 5

/** Returns the API parameters of the first page of a search. */
export const firstPage = (search: string) => ({ page: 1, limit: MAX_RESULTS, search })

export const toResults = <T>(list: { data: T[]; totalItems: number }, toFound: (record: T) => Hit) => ({
  found: list.data.map(toFound),
  total: list.totalItems,
})
