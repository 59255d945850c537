import type { View, ViewInput } from '~/core'
import type { ListName } from '~/core/lists'
import type { ListQuery } from '~/lib/query'
import { readConditions, writeConditions } from '../filter/conditions'
import { DEFAULT_LAYOUT, type Layout } from '../layout'

/** What a view stores: the query of a list, and its columns. */
export type ViewState = Pick<ListQuery, 'search' | 'sort' | 'filter'> & { layout: Layout }

/** The view that every list has. It is not stored. */
export const ALL_RECORDS: ViewState = { search: '', sort: '', filter: '', layout: DEFAULT_LAYOUT }

export const stateOf = ({ query, columns, density }: View): ViewState => ({
  search: query.search ?? '',
  sort: query.sort ?? '',
  filter: writeConditions(query.filter ?? []),
  layout: { columns: columns.map(column => ({ ...column, field: column.field ?? '' })), density },
})

/** Returns whether a list looks the same in both states. `normalize` returns what a layout shows. */
export const isSameState = (one: ViewState, other: ViewState, normalize: (layout: Layout) => string) =>
  one.search === other.search &&
  one.sort === other.sort &&
  JSON.stringify(readConditions(one.filter)) === JSON.stringify(readConditions(other.filter)) &&
  normalize(one.layout) === normalize(other.layout)

/** Returns the form of a view. `isField` leaves out columns that the API doesn't know. */
export const formOf = (
  resource: ListName,
  { search, sort, filter, layout }: ViewState,
  isField: (name: string) => boolean,
): Pick<ViewInput, 'resource' | 'query' | 'columns' | 'density'> => ({
  resource,
  query: { search, sort, filter: readConditions(filter) },
  columns: layout.columns.filter(({ field }) => isField(field)),
  density: layout.density,
})
