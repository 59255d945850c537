import { t } from '@lingui/core/macro'
import {
  createColumnHelper,
  functionalUpdate,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode, useId, useMemo } from 'react'
import { cx } from '~/ui/cx'
import { usePhone, useTablet } from '~/ui/usePhone'
import { isSortable, readSorting, writeSorting } from './sorting'
import { SortButton } from './TableHead'

const features = tableFeatures({ rowSortingFeature })

/** A column of a list. */
export type Column<R> = {
  id: string
  header: string
  /** Classes of the header, such as its width. Columns without a width share the remaining one. */
  className?: string
  /** The fields that the column is sorted by; the column's id by default, and none if it can't be sorted. */
  sort?: readonly string[]
  cell: (record: R) => ReactNode
}

export type TableProps<R> = {
  /** Accessible name of the table. */
  label: string
  /** Defined at module scope: a new array recreates the table. */
  columns: readonly Column<R>[]
  rows: readonly R[]
  idOf: (record: R) => string
  /** The buttons of a row. */
  actions: (record: R) => ReactNode
  /** Width class of the column with the buttons. */
  actionsWidth: string
  /** New rows are loading. The current ones stay visible, dimmed. */
  stale: boolean
  /** Has so many columns that rows become cards at tablet width already. */
  wide?: boolean
  /** The sort order, as in the API's parameter. Without it, the list can't be sorted. */
  sorting?: { sort: string; onSort: (sort: string) => void }
  /** The detail panel of an expanded row. One row can be expanded at a time. */
  expand?: Expand<R>
}

type Expand<R> = {
  /** Id of the expanded row. */
  id: string | undefined
  onToggle: (id: string) => void
  detail: (record: R) => ReactNode
}

type ToggleProps = { isOpen: boolean; panel: string; onToggle: () => void; children: ReactNode }

/** A button that covers the whole row and expands or collapses it. A link in the row's heading stays above it. */
function Toggle({ isOpen, panel, onToggle, children }: ToggleProps) {
  const heading = useId()
  return (
    <div className="flex max-w-full min-w-0 items-center gap-2.5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        aria-labelledby={heading}
        onClick={onToggle}
        className="-m-2 rounded p-2 after:absolute after:inset-0"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-4 shrink-0 text-muted transition-[rotate]', isOpen && 'rotate-90')}
        />
      </button>
      <span id={heading} className="relative min-w-0 truncate">
        {children}
      </span>
    </div>
  )
}

/**
 * The table of a list; at phone width each row is a card with the first column as its heading. A link with
 * `after:absolute after:inset-0` makes the whole row clickable. An expandable row toggles through its first column.
 */
export function RecordTable<R extends RowData>(props: TableProps<R>) {
  const { label, columns, rows, idOf, actions, actionsWidth, stale, wide = false, sorting, expand } = props
  const panels = useId()
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, R>()
    return columns.map(column => {
      const { id, header, cell } = column
      // The table only sorts columns with values, although the server sorts these.
      return helper.accessor((record): unknown => record, {
        id,
        header,
        enableSorting: isSortable(column),
        cell: ({ row }) => cell(row.original),
      })
    })
  }, [columns])
  const sorted = readSorting(sorting?.sort ?? '', columns)
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: idOf,
    manualSorting: true,
    enableSorting: sorting !== undefined,
    // Texts and numbers alike start with the lowest.
    sortDescFirst: false,
    state: { sorting: sorted },
    onSortingChange: change => sorting?.onSort(writeSorting(functionalUpdate(change, sorted), columns)),
  })
  const [phone, tablet] = [usePhone(), useTablet()]
  const heads = table.getHeaderGroups().flatMap(group => group.headers)
  const classOf = (id: string) => columns.find(column => column.id === id)?.className
  const isOpen = (id: string) => id === expand?.id
  const headed = (id: string, heading: ReactNode) =>
    expand ? (
      <Toggle isOpen={isOpen(id)} panel={`${panels}${id}`} onToggle={() => expand.onToggle(id)}>
        {heading}
      </Toggle>
    ) : (
      heading
    )
  // Positioned, so that the buttons are above a link or toggle that covers the row.
  const buttons = (record: R) => <span className="relative inline-flex">{actions(record)}</span>
  const look = cx('transition-opacity duration-150', stale && 'opacity-50')
  if (phone || (wide && tablet)) {
    return (
      <ul aria-label={label} aria-busy={stale} className={cx('divide-y divide-line', look)}>
        {table.getRowModel().rows.map(row => {
          const [heading, ...rest] = row.getAllCells()
          return (
            <li key={row.id}>
              <div className="relative flex flex-wrap items-center gap-x-3 py-3 pr-2 pl-4">
                <div className="min-w-0 flex-1 basis-52">
                  {heading && (
                    <div className="font-medium">{headed(row.id, <table.FlexRender cell={heading} />)}</div>
                  )}
                  <dl className="mt-1 grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-0.5 text-muted md:grid-cols-[auto_1fr_auto_1fr]">
                    {rest.map(cell => (
                      <div key={cell.id} className="contents">
                        <dt>{String(cell.column.columnDef.header)}</dt>
                        <dd className="min-w-0 truncate text-ink">
                          <table.FlexRender cell={cell} />
                        </dd>
                      </div>
                    ))}
                  </dl>
                </div>
                <div className="ml-auto print:hidden">{buttons(row.original)}</div>
              </div>
              {isOpen(row.id) && <div id={`${panels}${row.id}`}>{expand?.detail(row.original)}</div>}
            </li>
          )
        })}
      </ul>
    )
  }
  return (
    <table aria-label={label} aria-busy={stale} className={cx('w-full table-fixed text-left', look)}>
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          {heads.map(({ id, column }) => {
            const direction = column.getIsSorted()
            const text = String(column.columnDef.header)
            return (
              <th
                key={id}
                scope="col"
                aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
                className={cx('h-10 px-4 font-medium touch:h-12', classOf(column.id))}
              >
                {column.getCanSort() ? (
                  <SortButton
                    text={text}
                    direction={direction}
                    place={direction && sorted.length > 1 ? column.getSortIndex() + 1 : undefined}
                    onSort={event => column.getToggleSortingHandler()?.(event)}
                  />
                ) : (
                  text
                )}
              </th>
            )
          })}
          <th scope="col" className={cx('h-10 px-4 font-medium text-right print:hidden', actionsWidth)}>
            {t`Actions`}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {table.getRowModel().rows.map(row => (
          <Fragment key={row.id}>
            <tr className="relative transition-colors hover:bg-subtle/60">
              {row.getAllCells().map((cell, index) => (
                <td key={cell.id} className="h-12 truncate px-4 touch:h-14">
                  {index === 0 ? (
                    headed(row.id, <table.FlexRender cell={cell} />)
                  ) : (
                    <table.FlexRender cell={cell} />
                  )}
                </td>
              ))}
              <td className="h-12 truncate px-4 text-right touch:h-14 print:hidden">
                {buttons(row.original)}
              </td>
            </tr>
            {isOpen(row.id) && (
              <tr id={`${panels}${row.id}`}>
                <td colSpan={heads.length + 1}>{expand?.detail(row.original)}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
