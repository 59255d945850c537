import { t } from '@lingui/core/macro'
import type { RowData } from '@tanstack/react-table'
import { SearchX } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import type { ListName } from '~/core/lists'
import { parametersOf } from '~/lib/query'
import { buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { SearchBox } from '~/ui/SearchBox'
import { State } from '~/ui/State'
import { useTablet } from '~/ui/usePhone'
import { ColumnsMenu } from './ColumnsMenu'
import { ExportMenu } from './export/ExportMenu'
import { AddFilter, FilterBar } from './filter/FilterBar'
import { type FilterPanel, FilterSheet } from './filter/FilterSheet'
import { ListSection, type SectionProps } from './ListSection'
import { RecordTable, type TableProps } from './RecordTable'
import { useBulk } from './select/useBulk'
import { isSortable, sortingText } from './sorting'
import { TableSkeleton } from './TableSkeleton'
import { useListTools } from './useListTools'
import { ViewTabs } from './views/ViewTabs'

type Props<R> = SectionProps<R> &
  Omit<TableProps<R>, 'rows' | 'stale' | 'wide' | 'sorting' | 'columnLayout' | 'selecting'> & {
    list: ListName
    /** Rows have buttons also for users who may only read. */
    hasReadActions?: boolean
    /** Props of the search box, with the controls that a page has beside it. */
    search: Pick<ComponentProps<typeof SearchBox>, 'label' | 'hasButton' | 'children'>
    /** Parameters that select the rows of an exported file, if they differ from the list's query. */
    parameters?: Record<string, string | number | undefined>
    /**
     * The filter panel that only this list has, for the filter panel of narrow windows. Wider windows open it from
     * beside the search.
     */
    filterPanel?: FilterPanel
    /** Renders all records as a board, instead of a table with one page. `stale` is true while newer records load. */
    board?: (stale: boolean) => ReactNode
    /** Lets users select records, and change or delete them together. */
    bulk?: {
      nameOf: (record: R) => string
      /** API parameters of the filters that only this list has, besides search and conditions. */
      query?: Record<string, string>
    }
  }

/** The section of a page that contains a table of records, with its search, filters and sort order. */
export function RecordList<R extends RowData & object>({
  list,
  search,
  filterPanel,
  bulk,
  parameters,
  columns: defaultColumns,
  idOf,
  actions,
  actionsWidth: widthWithActions,
  hasReadActions = false,
  nameOf,
  opensMenu,
  onOpen,
  expand,
  children,
  empty,
  board,
  ...section
}: Props<R>) {
  const { records, label, noun } = section
  const { query, arrange } = records
  const isNarrow = useTablet()
  const tools = useListTools(list, defaultColumns, records, filterPanel?.values)
  const { filter, columns, placed, layout, setLayout, sorting } = tools
  const isReadOnly = !records.may.can_update && !records.may.can_delete
  const actionsWidth = isReadOnly && !hasReadActions ? undefined : widthWithActions
  const table = {
    label,
    columns,
    idOf,
    actions,
    actionsWidth,
    nameOf: nameOf ?? bulk?.nameOf,
    opensMenu,
    onOpen,
    isReadOnly,
    wide: true,
    expand,
    sorting: { sort: query.sort, onSort: (sort: string) => arrange({ sort }) },
    columnLayout: { layout, onLayout: setLayout },
  }
  const selection = useBulk({ list, noun, idOf, tools, records, query: bulk?.query })
  // A board has no checkboxes.
  const selecting =
    bulk && !board && selection.isAllowed ? { ...selection.selecting, nameOf: bulk.nameOf } : undefined
  const exportMenu = <ExportMenu list={list} noun={noun} parameters={parameters ?? parametersOf(query)} />
  const buttons = isNarrow ? (
    <FilterSheet
      {...filter}
      {...sorting}
      sortable={columns.filter(isSortable)}
      onSelect={selecting && !selection.isSelecting ? selection.start : undefined}
      panel={filterPanel}
      buttons={exportMenu}
    />
  ) : (
    <>
      <AddFilter {...filter} />
      {exportMenu}
      {/* A board shows cards, which have no columns to choose. */}
      {!board && <ColumnsMenu placed={placed} layout={layout} onChange={setLayout} list={records.section} />}
    </>
  )
  const unknown = tools.unknown.join(', ')
  return (
    <>
      <ViewTabs {...tools.views} />
      {unknown && (
        <Notice kind="info" className="mb-3">
          {t`This view has columns that no longer exist: ${unknown}. The others are shown.`}
        </Notice>
      )}
      <ListSection
        {...section}
        live={({ resource }) => resource === list}
        empty={query.filter ? <NothingMatches records={records} noun={noun} /> : empty}
        order={sortingText(sorting.sorting, columns)}
        skeleton={
          <TableSkeleton
            rows={section.skeletonRows ?? section.pageSize}
            columns={columns}
            layout={layout}
            actionsWidth={actionsWidth}
            isSelectable={selecting !== undefined}
            wide
          />
        }
        hasPages={!board}
        rows={(rows, stale) =>
          board?.(stale) ?? <RecordTable {...table} selecting={selecting} rows={rows} stale={stale} />
        }
      >
        <SearchBox {...search} {...records.search} tools={buttons} />
        {children}
        {!isNarrow && <FilterBar {...filter} />}
      </ListSection>
      {selecting && selection.bar}
    </>
  )
}

type NothingFoundProps = {
  title: string
  /** Label of the link to `to`, which is the list without the search or filter that excluded all records. */
  clear?: string
  to: string
  children: ReactNode
}

/** Shown if no record matches the search or filter. */
export function NothingFound({ title, clear = t`Clear search`, to, children }: NothingFoundProps) {
  return (
    <State
      icon={<SearchX className="size-6" />}
      title={title}
      action={
        <Link to={to} className={buttonClass()}>
          {clear}
        </Link>
      }
    >
      {children}
    </State>
  )
}

/** Shown if no record matches the filter. */
export function NothingMatches<R>({ records, noun }: Pick<SectionProps<R>, 'records' | 'noun'>) {
  return (
    <NothingFound
      title={t`Nothing matches the filter`}
      clear={t`Clear filters`}
      to={records.addressWith({ filter: '' })}
    >
      {records.query.search
        ? t`No ${noun} match both the search and the filter.`
        : t`No ${noun} match the filter.`}
    </NothingFound>
  )
}
