import type { CustomerFilter } from '~/core'

export type ListQuery = {
  page: number
  search: string
  /** `sort` and `filter` are in the format of the API's parameters of these names. Empty for none. */
  sort: string
  filter: string
  /** The id of the saved view that is open; empty if none is. */
  view: string
}

/** The URL's `view` parameter that shows all records even if the user has a default view. */
export const ALL = 'all'

/** The values of the filter panel, which only the list of customers has. Empty values match every customer. */
export type PanelFilter = Required<Omit<CustomerFilter, 'statusAdv'>>

export const NO_FILTER: PanelFilter = { typeAdv: '', fromDate: '', toDate: '' }

/** Parameters of a list's URL that a control changes. */
export type QueryChange = Partial<ListQuery & { panel: PanelFilter }>

/** The URLs of a list. */
export type ListRoute<Q extends ListQuery> = {
  /** The path of the list's page in the app. */
  route: string
  /** Returns the URL of the list for a query. */
  address: (query: Q) => string
  /** Returns the sort order after the query's filter has changed to this one; by default that of the query. */
  sortAfter?: (query: Q, filter: string) => string
}

/** The response to a request for a page of a list. */
export type ListPage<R> = {
  data: R[]
  totalItems: number
  totalPages: number
  /** The page number; undefined if the response doesn't say it. */
  currentPage?: number
}

/** Parses a list's page, search, sort order, filter and view from its URL. An invalid page number becomes 1. */
export function readQuery(params: URLSearchParams): ListQuery {
  const page = Number(params.get('page') ?? 1)
  const text = (name: string) => (params.get(name) ?? '').trim()
  return {
    page: Number.isSafeInteger(page) && page >= 1 && page <= 0xffff_ffff ? page : 1,
    search: text('search'),
    sort: text('sort'),
    filter: text('filter'),
    view: text('view'),
  }
}

/** Returns the `filter` parameter that matches the records whose field is equal to this value. */
export const filterBy = (field: string, value: string) => JSON.stringify([{ field, op: 'is', value }])

/**
 * Returns the URL of a list. `ownParameters` are those that only this list has. Page 1 and empty parameters are
 * omitted.
 */
export function listAddress(
  list: string,
  { page = 1, search = '', sort = '', filter = '', view = '' }: Partial<ListQuery>,
  ownParameters: Record<string, string> = {},
): string {
  const params = new URLSearchParams()
  if (page > 1) params.set('page', String(page))
  for (const [name, value] of Object.entries({ search, ...ownParameters, sort, filter, view })) {
    if (value) params.set(name, value)
  }
  return params.size > 0 ? `${list}?${params}` : list
}

/**
 * Returns the URL of a list's first page after a change of its query. If nothing is left of the query, that
 * is the tab All, because the route alone opens the user's default view, which may have another search.
 */
export function addressAfter<Q extends ListQuery>(
  { route, address, sortAfter = ({ sort }) => sort }: ListRoute<Q>,
  query: Q,
  change: Partial<Q> | QueryChange,
): string {
  const { filter, sort = filter === undefined ? query.sort : sortAfter(query, filter) } = change
  const changed = { ...query, ...change, sort, page: 1 }
  const to = address(changed)
  return to === route && address(query) !== route ? address({ ...changed, view: ALL }) : to
}

/**
 * Returns the parameters of a list's API request: the query without `view` and `layout`, which only the screen uses.
 */
export const parametersOf = <Q extends ListQuery>({ view, layout, ...parameters }: Q & { layout?: string }) =>
  parameters
