import { t } from '@lingui/core/macro'
import type { SortDirection } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { MouseEventHandler } from 'react'
import { cx } from '~/ui/cx'

type Props = {
  text: string
  direction: SortDirection | false
  /** The column's place in the sort order, starting at 1; undefined if it is sorted by one column or none. */
  place?: number
  /** Sorts by this column. Shift adds it to the columns that are sorted already. */
  onSort: MouseEventHandler
}

/** The button in a column's header that sorts the list. */
export function SortButton({ text, direction, place, onSort }: Props) {
  const Icon = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <button
      type="button"
      onClick={onSort}
      title={t`Sort by this column. Hold Shift to sort by several columns.`}
      className={cx(
        'group/sort -mx-1.5 inline-flex h-8 max-w-full items-center gap-1 rounded-md px-1.5 hover:bg-subtle hover:text-ink touch:h-11',
        direction && 'text-ink',
      )}
    >
      <span className="truncate">{text}</span>
      <Icon
        aria-hidden
        className={cx(
          'size-3.5 shrink-0 print:hidden',
          !direction &&
            'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60 touch:opacity-60',
        )}
      />
      {place && (
        <span className="tabular-nums" aria-hidden>
          {place}
        </span>
      )}
      {place && (
        <span className="sr-only">
          {direction === 'asc' ? t`${place}, ascending` : t`${place}, descending`}
        </span>
      )}
    </button>
  )
}
