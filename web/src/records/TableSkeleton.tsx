import { t } from '@lingui/core/macro'
import type { CSSProperties } from 'react'
import { cx } from '~/ui/cx'
import { SkeletonRows } from '~/ui/Skeleton'
import { usePhone, useTablet } from '~/ui/usePhone'
import type { Column } from './columns'
import { COMPACT, DEFAULT_LAYOUT, type Layout, placeColumns } from './layout'
import { cssWidth, minTableWidth } from './tableWidth'

type Props<R> = {
  rows: number
  columns: readonly Column<R>[]
  layout?: Layout
  /** As in `RecordTable`. */
  actionsWidth?: string
  /** The table has a column of checkboxes. */
  isSelectable?: boolean
  /** As in `RecordTable`. */
  wide?: boolean
}

/** The placeholder of a table while it loads: its column headers, and rows of the same height. */
export function TableSkeleton<R>(props: Props<R>) {
  const { rows, columns, layout = DEFAULT_LAYOUT, actionsWidth, isSelectable = false, wide = false } = props
  const [phone, tablet] = [usePhone(), useTablet()]
  if (phone || (wide && tablet)) return <SkeletonRows rows={rows} />
  const shown = placeColumns(columns, layout).filter(({ isVisible }) => isVisible)
  const hasUserWidths = shown.some(({ width }) => width !== undefined)
  const hasLastColumn = hasUserWidths || actionsWidth !== undefined
  const minWidth = minTableWidth({ columns: shown, isSelectable, actionsWidth })
  return (
    <div role="status" className="max-xl:overflow-x-auto">
      <span className="sr-only">{t`Loading`}</span>
      <table
        aria-hidden
        className="w-full table-fixed text-left max-xl:min-w-(--min-table-width)"
        style={{ '--min-table-width': minWidth } as CSSProperties}
      >
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            {isSelectable && <th className="w-11" />}
            {shown.map(({ column: { id, header, isNumber, ...column }, width }) => (
              <th
                key={id}
                className={cx('h-10 px-4 font-medium touch:h-12', isNumber && 'text-right')}
                style={{ width: width ?? cssWidth(column.width) }}
              >
                <span className="block truncate">{header}</span>
              </th>
            ))}
            {hasLastColumn && <th style={{ width: hasUserWidths ? undefined : actionsWidth }} />}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
            <tr key={row} className={layout.density === COMPACT ? 'h-9 touch:h-touch' : 'h-11 touch:h-14'}>
              {isSelectable && <td />}
              {shown.map(({ column: { id, isNumber } }, cell) => (
                <td key={id} className="px-4">
                  <div
                    className={cx(
                      'skeleton h-3.5',
                      (row + cell) % 3 === 0 ? 'w-2/3' : 'w-1/2',
                      isNumber && 'ml-auto',
                    )}
                  />
                </td>
              ))}
              {hasLastColumn && <td />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
