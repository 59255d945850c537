import {
  type ColumnDef,
  createColumnHelper,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode, useId } from 'react'
import { cx } from './cx'
import { usePhone, useTablet } from './usePhone'

const features = tableFeatures({})

/**
 * Returns the column helper for rows of type `T`. Define columns at module scope: a new array recreates the table.
 */
export const columnsOf = <T extends RowData>() => createColumnHelper<typeof features, T>()

type Props<T extends RowData> = {
  /** Accessible name of the table. */
  label: string
  columns: ColumnDef<typeof features, T, unknown>[]
  rows: T[]
  rowId: (row: T) => string
  /** Width classes by column. Columns without one share the remaining width. */
  widths?: string[]
  /** New rows are loading. The current ones stay visible, dimmed. */
  stale?: boolean
  /** Has so many columns that rows become cards at tablet width already. */
  wide?: boolean
  /** The detail panel of an expanded row. One row can be expanded at a time. */
  expand?: Expand<T>
}

type Expand<T> = {
  /** Id of the expanded row. */
  id: string | undefined
  onToggle: (id: string) => void
  detail: (row: T) => ReactNode
}

type ToggleProps = { isOpen: boolean; panel: string; onToggle: () => void; children: ReactNode }

/** A button that covers the whole row and expands or collapses it. */
function Toggle({ isOpen, panel, onToggle, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? panel : undefined}
      onClick={onToggle}
      className="flex max-w-full min-w-0 items-center gap-2.5 rounded text-left after:absolute after:inset-0"
    >
      <ChevronRight
        aria-hidden
        className={cx('size-4 shrink-0 text-muted transition-[rotate]', isOpen && 'rotate-90')}
      />
      <span className="min-w-0 truncate">{children}</span>
    </button>
  )
}

/**
 * A table; at phone width each row is a card with the first column as its heading and the last as its actions. A link
 * with `after:absolute after:inset-0` makes the whole row clickable. An expandable row toggles through its first
 * column.
 */
export function DataTable<T extends RowData>({
  label,
  columns,
  rows,
  rowId,
  widths = [],
  stale = false,
  wide = false,
  expand,
}: Props<T>) {
  const panels = useId()
  const table = useTable({ features, columns, data: rows, getRowId: rowId })
  const [phone, tablet] = [usePhone(), useTablet()]
  const heads = table.getHeaderGroups().flatMap(group => group.headers)
  const isOpen = (id: string) => id === expand?.id
  const headed = (id: string, heading: ReactNode) =>
    expand ? (
      <Toggle isOpen={isOpen(id)} panel={`${panels}${id}`} onToggle={() => expand.onToggle(id)}>
        {heading}
      </Toggle>
    ) : (
      heading
    )
  const look = cx('transition-opacity duration-150', stale && 'opacity-50')
  if (phone || (wide && tablet)) {
    return (
      <ul aria-label={label} aria-busy={stale} className={cx('divide-y divide-line', look)}>
        {table.getRowModel().rows.map(row => {
          const [heading, ...rest] = row.getAllCells()
          const actions = rest.pop()
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
                {actions && (
                  <div className="ml-auto print:hidden">
                    <table.FlexRender cell={actions} />
                  </div>
                )}
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
          {heads.map((head, index) => (
            <th
              key={head.id}
              scope="col"
              className={cx(
                'h-10 px-4 font-medium',
                widths[index],
                index === heads.length - 1 && 'text-right print:hidden',
              )}
            >
              <table.FlexRender header={head} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {table.getRowModel().rows.map(row => (
          <Fragment key={row.id}>
            <tr className="relative transition-colors hover:bg-subtle/60">
              {row.getAllCells().map((cell, index, all) => (
                <td
                  key={cell.id}
                  className={cx(
                    'h-12 truncate px-4 touch:h-14',
                    index === all.length - 1 && 'text-right print:hidden',
                  )}
                >
                  {index === 0 ? (
                    headed(row.id, <table.FlexRender cell={cell} />)
                  ) : (
                    <table.FlexRender cell={cell} />
                  )}
                </td>
              ))}
            </tr>
            {isOpen(row.id) && (
              <tr id={`${panels}${row.id}`}>
                <td colSpan={heads.length}>{expand?.detail(row.original)}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
