import type { RowData } from '@tanstack/react-table'
import { useEffect, useMemo } from 'react'
import type { ListName } from '~/core/lists'
import { NO_FILTER } from '~/lib/query'
import { type Column, useFittingColumns } from './columns'
import { extraColumns } from './extraColumns'
import { useFilter } from './filter/useFilter'
import { columnsOf, type Layout, placeColumns, unknownColumns, useLayout } from './layout'
import { readSorting, writeSorting } from './sorting'
import type { Records } from './useRecords'
import { ALL_RECORDS, isSameState, stateOf, type ViewState } from './views/state'
import { useViews } from './views/useViews'

/**
 * Returns the state of a list's columns, sort order, filters and views. `panel` are the values of the filter panel, if
 * the list has one.
 */
export function useListTools<R extends RowData & object>(
  list: ListName,
  defaultColumns: readonly Column<R>[],
  records: Records<R>,
  panel = NO_FILTER,
) {
  const { query, route, arrange, addressOf } = records
  const filter = useFilter(list, records)
  const { fields } = filter
  const views = useViews(list)
  const active = views.views?.find(view => view.view_id === query.view)
  const saved = active ? stateOf(active) : ALL_RECORDS
  const deviceLayout = useLayout(list, active?.view_id ?? '')
  const layout = deviceLayout.layout ?? saved.layout
  const fitting = useFittingColumns(defaultColumns)
  const columns = useMemo(
    () => (fields ? [...fitting, ...extraColumns(fields, defaultColumns)] : fitting),
    [fields, fitting, defaultColumns],
  )
  const placed = placeColumns(columns, layout)
  const { search, sort } = query
  const current: ViewState = { search, sort, filter: query.filter, panel, layout }
  const normalize = (layout: Layout) =>
    JSON.stringify([layout.density, columnsOf(placeColumns(columns, layout))])
  const open = (view: string, { layout, ...query }: ViewState) => {
    deviceLayout.setLayout(undefined)
    arrange({ view, ...query })
  }

  // A list that is opened without a view, search, sort order or filter shows the user's default view.
  const initial = views.views?.find(view => view.is_default)
  const viewToOpen = initial && addressOf(query.page) === route ? initial : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: `arrange` is another function in each render.
  useEffect(() => {
    if (!viewToOpen) return
    const { layout, ...query } = stateOf(viewToOpen)
    arrange({ view: viewToOpen.view_id, ...query }, { replace: true })
  }, [viewToOpen])

  return {
    fields,
    filter,
    columns,
    placed,
    layout,
    setLayout: deviceLayout.setLayout,
    sorting: {
      sorting: readSorting(sort, columns),
      onSort: (sorting: Parameters<typeof writeSorting>[0]) =>
        arrange({ sort: writeSorting(sorting, columns) }),
    },
    /** The columns that the view names although the list doesn't have them. */
    unknown: fields ? unknownColumns(columns, layout) : [],
    views: {
      fields,
      views,
      active,
      current,
      // Until the views have loaded, what the active one has saved is unknown.
      isChanged: views.views !== undefined && !viewToOpen && !isSameState(current, saved, normalize),
      addressOf: (view: string, { layout, ...query }: ViewState) => addressOf(1, { view, ...query }),
      onOpen: open,
    },
  }
}
