import { t } from '@lingui/core/macro'
import { Ellipsis } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { cx } from '~/ui/cx'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { Menu, MenuItems } from '~/ui/Menu'
import { usePhone } from '~/ui/usePhone'
import { isEmptyCell } from './cells'
import type { Column, Selecting } from './columns'
import { ReachLinks } from './ReachLinks'
import { SelectBox, selectLabel } from './select/SelectBox'
import { useLongPress } from './select/useLongPress'

type Row<R> = { id: string; record: R; actions: ReactNode; isSelected: boolean; onToggle: () => void }

type Props<R> = {
  /** Accessible name of the list. */
  label: string
  stale: boolean
  className: string
  /** The visible columns, in their order. */
  columns: readonly Column<R>[]
  selecting: Selecting<R> | undefined
  /** Returns the name of a record. With it, the actions of a row are in a menu. */
  nameOf: ((record: R) => string) | undefined
  /** A tap on a row opens its menu, because the first column has no link. */
  opensMenu: boolean | undefined
  rows: Row<R>[]
}

/**
 * The rows of a list in narrow windows. The first line is the first column, with an amount at its end. The second line
 * has the values of the others; one that the list doesn't show by default is preceded by its column's header. The line
 * wraps between values, at most twice, unless on a phone a value has a line of its own. A link in the first column
 * covers the row, so that a tap opens the record.
 */
export function RecordRows<R>({ label, stale, className, rows, ...row }: Props<R>) {
  return (
    <ul aria-label={label} aria-busy={stale} className={`divide-y divide-line ${className}`}>
      {rows.map(({ id, ...rest }) => (
        <RecordRow key={id} {...rest} {...row} />
      ))}
    </ul>
  )
}

/** Returns the items, those that match first, otherwise in their order. */
const putFirst = <T,>(items: T[], matches: (item: T) => boolean) => [
  ...items.filter(matches),
  ...items.filter(item => !matches(item)),
]

type RowProps<R> = Omit<Row<R>, 'id'> & Pick<Props<R>, 'columns' | 'selecting' | 'nameOf' | 'opensMenu'>

function RecordRow<R>({ record, actions, isSelected, onToggle, columns, ...row }: RowProps<R>) {
  const { selecting, nameOf, opensMenu } = row
  const phone = usePhone()
  const [heading, ...rest] = columns
  const press = useLongPress(selecting && !selecting.isActive ? onToggle : undefined)
  const cells = rest.map(column => ({ column, content: (column.narrowCell ?? column.cell)(record) }))
  const isShown = ({ whenNarrow, shownInColumn }: Column<R>) =>
    whenNarrow !== 'never' &&
    !(phone && whenNarrow === 'notOnPhone') &&
    !columns.some(({ id }) => id === shownInColumn)
  const filled = cells.filter(({ column, content }) => isShown(column) && !isEmptyCell(content))
  const has = (place: Column<R>['whenNarrow']) => (cell: (typeof cells)[number]) =>
    cell.column.whenNarrow === place
  const ends = filled.filter(has('end'))
  const lines = phone ? filled.filter(has('last')) : []
  const inline = filled.filter(cell => !ends.includes(cell) && !lines.includes(cell))
  const others = putFirst(
    putFirst(inline, cell => !has('last')(cell)),
    has('first'),
  )
  const isReach = ({ column }: (typeof cells)[number]) => column.reach && !column.whenNarrow
  // A second line without anything else says how to reach the person. A phone has space for one way. Both are also links.
  const showsReach = others.every(isReach)
  const reach = putFirst(others, ({ column }) => column.reach?.(record)?.startsWith('tel:') ?? false)
  const details = !showsReach ? others : phone ? reach.slice(0, 1) : reach
  const isOneLine = showsReach || lines.length > 0
  // Initials would take the space of the buttons that call and mail the person.
  const picture = columns.some(({ reach }) => reach) ? undefined : heading?.picture
  return (
    <li
      className={cx(
        'relative flex min-h-16 flex-wrap items-center gap-x-3 py-1.5 pr-2 pl-4',
        isSelected && 'bg-soft',
        selecting && 'long-press',
      )}
      {...press}
    >
      {selecting?.isActive && (
        <SelectBox
          coversRow
          label={selectLabel(selecting.nameOf(record))}
          checked={isSelected}
          onChange={onToggle}
        />
      )}
      {picture?.(record)}
      <div className="min-w-0 flex-1 basis-24">
        <div className="flex flex-wrap items-baseline gap-x-3 font-medium">
          <div className="min-w-0 flex-1 basis-20 [overflow-wrap:anywhere] [&_.truncate]:line-clamp-2 [&_.truncate]:whitespace-normal [&_a]:after:absolute [&_a]:after:inset-0">
            {heading?.cell(record)}
          </div>
          {ends.map(({ column, content }) => (
            <div key={column.id} className="shrink-0">
              <HiddenHeader column={column} />
              {content}
            </div>
          ))}
        </div>
        {details.length > 0 && (
          <div className="mt-0.5 overflow-hidden">
            {/*
             * The negative margin puts the separator before the first value of a line outside, where it is
             * hidden. The separator is in the padding of its value, so that further lines of a value that
             * wraps are not cut off.
             */}
            <p
              className={cx(
                '-ml-2 text-muted [&_.block]:inline [&_.grid]:inline',
                isOneLine ? 'truncate' : 'line-clamp-3 print:line-clamp-none',
              )}
            >
              {details.map((cell, index) => {
                const { column, content } = cell
                const isPrinted = !showsReach && isReach(cell)
                return (
                  <Fragment key={column.id}>
                    {index > 0 && ' '}
                    <span
                      className={cx(
                        'pl-2',
                        isOneLine ? 'whitespace-nowrap' : 'max-w-full truncate align-middle',
                        isPrinted ? 'hidden print:inline-block' : !isOneLine && 'inline-block',
                      )}
                    >
                      {index > 0 && (
                        <span aria-hidden className="-ml-2 inline-block w-2">
                          ·
                        </span>
                      )}
                      {column.isExtra ? `${column.header}: ` : <HiddenHeader column={column} />}
                      <span className={cx(column.whenNarrow === 'first' && 'font-medium text-ink')}>
                        {content}
                      </span>
                    </span>
                  </Fragment>
                )
              })}
            </p>
          </div>
        )}
        {lines.map(({ column, content }) => (
          <p key={column.id} className="truncate text-muted">
            <HiddenHeader column={column} />
            {content}
          </p>
        ))}
      </div>
      {(!selecting?.isActive || selecting.keepsActions) && (
        <RowEnd
          record={record}
          columns={columns}
          actions={actions}
          name={nameOf?.(record)}
          opensMenu={opensMenu}
        />
      )}
    </li>
  )
}

/** The header of a value's column, for screen readers. */
const HiddenHeader = <R,>({ column }: { column: Column<R> }) => (
  <span className="sr-only"> {column.header}: </span>
)

const focus = (element: HTMLElement | null) => element?.focus()

type EndProps<R> = {
  record: R
  columns: readonly Column<R>[]
  actions: ReactNode
  name: string | undefined
  opensMenu: boolean | undefined
}

/**
 * The end of a row: links that call and mail the record's person, and the menu of the row. The menu is rendered from its
 * first use on, because the menus of all rows would take longer to render than the rest of the list. At its first use by
 * touch or mouse it opens on the click, without a transition.
 */
function RowEnd<R>({ record, columns, actions, name, opensMenu }: EndProps<R>) {
  // Undefined before the menu is used.
  const [menu, setMenu] = useState<'closed' | 'open'>()
  // The buttons are above a checkbox that covers the row.
  if (name === undefined) return <span className="relative z-2 inline-flex print:hidden">{actions}</span>
  const urls = columns.flatMap(({ reach }) => reach?.(record) || [])
  const hasGap = urls.length < columns.filter(({ reach }) => reach).length
  const button = (
    <button
      type="button"
      aria-label={t`Actions for ${name}`}
      // The button of the menu replaces this one, so it takes over the focus.
      ref={menu && focus}
      {...(!menu && {
        'aria-haspopup': 'menu',
        'aria-expanded': false,
        // From then on, the menu handles the keys.
        onFocus: ({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) setMenu('closed')
        },
        onClick: () => setMenu('open'),
      })}
      className={cx(iconButtonClass, 'size-12!', opensMenu ? 'after:absolute after:inset-0' : 'relative')}
    >
      <Ellipsis aria-hidden className="size-5" />
    </button>
  )
  return (
    <span className="-ml-1 inline-flex flex-wrap print:hidden">
      <ReachLinks name={name} urls={urls} hasGap={hasGap} />
      {actions &&
        (menu ? (
          <Menu defaultOpen={menu === 'open'} modal={!opensMenu} trigger={button}>
            <MenuItems>{actions}</MenuItems>
          </Menu>
        ) : (
          button
        ))}
    </span>
  )
}
