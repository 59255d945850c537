import { t } from '@lingui/core/macro'
import type { SortDirection } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { MouseEvent, MouseEventHandler, TouchEvent } from 'react'
import { cx } from '~/ui/cx'

type Props = {
  text: string
  direction: SortDirection | false
  /** The column's place in the sort order, starting at 1; undefined unless the list is sorted by several columns. */
  place?: number
  /** Sorts by this column. With Shift held, keeps the existing sort order and adds this column to it. */
  onSort: MouseEventHandler
}

/** The button in a column's header that sorts the list. */
export function SortButton({ text, direction, place, onSort }: Props) {
  const Icon = direction === 'desc' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      onClick={onSort}
      title={t`Sort by this column. Hold Shift to sort by several columns.`}
      className={cx(
        '-mx-1.5 inline-flex h-8 max-w-[calc(100%+0.75rem)] items-center gap-1 rounded-md px-1.5 hover:bg-subtle hover:text-ink focus-visible:-outline-offset-2 touch:h-touch',
        direction && 'text-ink',
      )}
    >
      <span className="truncate">{text}</span>
      {direction && <Icon aria-hidden className="size-3.5 shrink-0 print:hidden" />}
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

type ResizeProps = {
  isActive: boolean
  /** Called when the user begins to resize the column. */
  onReady: () => void
  onResize: (event: MouseEvent | TouchEvent) => void
}

/** The edge of a header, which a pointer drags to resize the column. Keyboard users resize it in the columns menu. */
export function ResizeHandle({ isActive, onReady, onResize }: ResizeProps) {
  return (
    <span
      aria-hidden
      onPointerDown={onReady}
      onMouseDown={onResize}
      onTouchStart={onResize}
      className={cx(
        'absolute inset-y-1.5 right-0 w-3 cursor-col-resize touch-none border-r-2 print:hidden',
        isActive ? 'border-accent-text' : 'border-transparent hover:border-edge',
      )}
    />
  )
}
