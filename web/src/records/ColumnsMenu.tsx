import { t } from '@lingui/core/macro'
import { Columns3, GripVertical } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { cx } from '~/ui/cx'
import { Popover } from '~/ui/Popover'
import { ToggleButton } from '~/ui/ToggleButton'
import type { Column } from './columns'
import {
  COMFORTABLE,
  COMPACT,
  clampWidth,
  columnsOf,
  fixWidths,
  type Layout,
  measureColumns,
  type PlacedColumn,
} from './layout'

/** By how many pixels an arrow key changes the width of a column. */
const STEP = 16

type Props<R> = {
  placed: readonly PlacedColumn<Column<R>>[]
  layout: Layout
  /** Called with the new layout, or with undefined to restore the layout that the view has saved. */
  onChange: (layout: Layout | undefined) => void
  /** The element that contains the table. */
  list: RefObject<HTMLElement | null>
}

/** The button that opens the settings of a list's columns: visibility, order, widths, and the height of rows. */
export function ColumnsMenu<R>(props: Props<R>) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label={t`Columns`}
      open={open}
      onOpenChange={setOpen}
      align="end"
      // Its list shrinks to the available height and scrolls, so that the rest stays in view.
      className="flex w-88 flex-col print:hidden"
      trigger={
        <Button>
          <Columns3 aria-hidden className="size-4" />
          {t`Columns`}
        </Button>
      }
    >
      <Menu {...props} />
    </Popover>
  )
}

function Menu<R>({ placed, layout, onChange, list }: Props<R>) {
  const items = useRef<HTMLUListElement>(null)
  // The column that was moved or resized last. Its handle is focused again, and screen readers announce the change.
  const [moved, setMoved] = useState<{ id: string; announcement: string }>()
  useLayoutEffect(() => {
    if (moved) items.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(moved.id)}"]`)?.focus()
  }, [moved])
  const save = (next: readonly PlacedColumn[]) => onChange({ ...layout, columns: columnsOf(next) })
  const move = (from: number, to: number) => {
    const item = placed[from]
    if (!item || from === to || to < 1 || to >= placed.length) return
    const next = placed.filter(other => other !== item)
    next.splice(to, 0, item)
    save(next)
    const [name, place, total] = [item.column.header, to + 1, placed.length]
    setMoved({ id: item.column.id, announcement: t`${name} is column ${place} of ${total}` })
  }
  const resize = (item: PlacedColumn<Column<R>>, by: number) => {
    const next = fixWidths(placed, measureColumns(list.current))
    const width = clampWidth((next.find(({ column }) => column === item.column)?.width ?? 0) + by)
    save(next.map(other => (other.column === item.column ? { ...other, width } : other)))
    const name = item.column.header
    setMoved({ id: item.column.id, announcement: t`${name} is ${width} pixels wide` })
  }
  const onKey = (event: KeyboardEvent, index: number) => {
    const item = placed[index]
    if (!item) return
    const act = {
      ArrowUp: () => move(index, index - 1),
      ArrowDown: () => move(index, index + 1),
      ArrowLeft: () => resize(item, -STEP),
      ArrowRight: () => resize(item, STEP),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  // Moves the dragged row to the place of the row that is under the pointer.
  const onDrag = (event: PointerEvent, index: number) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const rows = [...(items.current?.children ?? [])]
    const over = rows.findIndex(row => {
      const { top, bottom } = row.getBoundingClientRect()
      return event.clientY >= top && event.clientY < bottom
    })
    if (over >= 0) move(index, over)
  }
  return (
    <div className="flex min-h-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-2 pt-1 pb-2">
        <fieldset className="flex rounded-lg border border-line p-0.5">
          <legend className="sr-only">{t`Height of rows`}</legend>
          {[
            { value: COMFORTABLE, label: t`Comfortable` },
            { value: COMPACT, label: t`Compact` },
          ].map(({ value, label }) => (
            <ToggleButton
              key={value}
              isOn={layout.density === value}
              onClick={() => onChange({ ...layout, density: value })}
              className={cx(
                'h-8 rounded-md px-2.5 text-sm touch:h-touch',
                layout.density === value ? 'bg-soft font-medium text-accent-text' : 'text-muted',
              )}
            >
              {label}
            </ToggleButton>
          ))}
        </fieldset>
        <Button kind="ghost" className="ml-auto px-2.5!" onClick={() => onChange(undefined)}>
          {t`Reset columns`}
        </Button>
      </div>
      <p id="columns-help" className="px-2 pt-1 text-xs text-muted">
        {t`Drag to reorder. On a handle, the arrow keys move the column and change its width.`}
      </p>
      <ul ref={items} className="max-h-96 min-h-24 overflow-y-auto">
        {placed.map(({ column, column: { header: name }, isVisible, isFixed }, index) => (
          <li key={column.id} className="flex items-center gap-1 rounded-lg pr-2 hover:bg-subtle">
            <button
              type="button"
              data-handle={column.id}
              disabled={isFixed}
              aria-label={t`Move ${name}`}
              aria-describedby="columns-help"
              onKeyDown={event => onKey(event, index)}
              onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={event => onDrag(event, index)}
              className="inline-flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded text-muted focus-visible:-outline-offset-2 active:cursor-grabbing disabled:invisible touch:size-touch"
            >
              <GripVertical aria-hidden className="size-4" />
            </button>
            <Checkbox
              label={name}
              checked={isVisible}
              disabled={isFixed}
              onChange={({ target }) =>
                save(
                  placed.map(other =>
                    other.column === column ? { ...other, isVisible: target.checked } : other,
                  ),
                )
              }
            />
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {moved?.announcement}
      </p>
    </div>
  )
}
