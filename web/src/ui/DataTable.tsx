import {
  type ColumnDef,
  createColumnHelper,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { cx } from './cx'
import { usePhone, useTablet } from './usePhone'

const features = tableFeatures({})

/** Makes the columns of a table of `T`. Keep them at module scope: a new list is a new table. */
export const columnsOf = <T extends RowData>() => createColumnHelper<typeof features, T>()

type Props<T extends RowData> = {
  /** What the table holds, for those who can't see it. */
  label: string
  columns: ColumnDef<typeof features, T, unknown>[]
  rows: T[]
  rowId: (row: T) => string
  /** The columns' widths as class names; the others share what is left. */
  widths?: string[]
  /** New rows are on their way; these stay in view, dimmed. */
  stale?: boolean
  /** Has so many columns that rows are cards on a tablet already. */
  wide?: boolean
}

/**
 * A list as a table; on a phone each row is a card, its first column the heading, its last the actions. A row
 * is what a link's `after:absolute after:inset-0` fills, so that it opens from anywhere in it.
 */
export function DataTable<T extends RowData>({
  label,
  columns,
  rows,
  rowId,
  widths = [],
  stale = false,
  wide = false,
}: Props<T>) {
  const table = useTable({ features, columns, data: rows, getRowId: rowId })
  const [phone, tablet] = [usePhone(), useTablet()]
  const heads = table.getHeaderGroups().flatMap(group => group.headers)
  const look = cx('transition-opacity duration-150', stale && 'opacity-50')
  if (phone || (wide && tablet)) {
    return (
      <ul aria-label={label} aria-busy={stale} className={cx('divide-y divide-line', look)}>
        {table.getRowModel().rows.map(row => {
          const [heading, ...rest] = row.getAllCells()
          const actions = rest.pop()
          return (
            <li key={row.id} className="relative flex flex-wrap items-center gap-x-3 py-3 pr-2 pl-4">
              <div className="min-w-0 flex-1 basis-52">
                {heading && (
                  <div className="font-medium">
                    <table.FlexRender cell={heading} />
                  </div>
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
                <div className="ml-auto">
                  <table.FlexRender cell={actions} />
                </div>
              )}
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
                index === heads.length - 1 && 'text-right',
              )}
            >
              <table.FlexRender header={head} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {table.getRowModel().rows.map(row => (
          <tr key={row.id} className="relative transition-colors hover:bg-subtle/60">
            {row.getAllCells().map((cell, index, all) => (
              <td
                key={cell.id}
                className={cx('h-12 truncate px-4 touch:h-14', index === all.length - 1 && 'text-right')}
              >
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
