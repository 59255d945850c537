import type { View, ViewInput } from '~/core'
import type { ListName } from '~/core/lists'
import { type ListQuery, NO_FILTER, type PanelFilter } from '~/lib/query'
import { readConditions, writeConditions } from '../filter/conditions'
import { DEFAULT_LAYOUT, type Layout } from '../layout'

/** What a view stores: the search, sort order and filters of a list, and the layout of its columns. */
export type ViewState = Pick<ListQuery, 'search' | 'sort' | 'filter'> & { panel: PanelFilter; layout: Layout }

/** The view of all records, which every list has. It isn't stored. */
export const ALL_RECORDS: ViewState = {
  search: '',
  sort: '',
  filter: '',
  panel: NO_FILTER,
  layout: DEFAULT_LAYOUT,
}

export const stateOf = ({ query, columns, density }: View): ViewState => ({
  search: query.search ?? '',
  sort: query.sort ?? '',
  filter: writeConditions(query.filter ?? []),
  panel: { typeAdv: query.typeAdv ?? '', fromDate: query.fromDate ?? '', toDate: query.toDate ?? '' },
  layout: { columns: columns.map(column => ({ ...column, field: column.field ?? '' })), density },
})

/**
 * Returns whether a list looks the same in both states. `normalize` returns equal texts for layouts that look the same.
 */
export const isSameState = (one: ViewState, other: ViewState, normalize: (layout: Layout) => string) =>
  one.search === other.search &&
  one.sort === other.sort &&
  JSON.stringify(readConditions(one.filter)) === JSON.stringify(readConditions(other.filter)) &&
  JSON.stringify(one.panel) === JSON.stringify(other.panel) &&
  normalize(one.layout) === normalize(other.layout)

/** Returns what a form sends to store this state in a view. Columns for which `isField` is false are left out. */
export const contentOf = (
  resource: ListName,
  { search, sort, filter, panel, layout }: ViewState,
  isField: (name: string) => boolean,
): Pick<ViewInput, 'resource' | 'query' | 'columns' | 'density'> => ({
  resource,
  query: { search, sort, filter: readConditions(filter), ...panel },
  columns: layout.columns.filter(({ field }) => isField(field)),
  density: layout.density,
})
