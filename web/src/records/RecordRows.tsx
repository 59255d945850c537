import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Ellipsis, Mail, Phone } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { cx } from '~/ui/cx'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { Menu, MenuItems } from '~/ui/Menu'
import { isEmptyCell } from './cells'
import type { Column, Selecting } from './columns'
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
  rows: Row<R>[]
}

/**
 * The rows of a list in narrow windows. The first line is the first column, the second line has the values of the
 * others. A link in the first column covers the row, so that a tap opens the record.
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

type RowProps<R> = Omit<Row<R>, 'id'> & Pick<Props<R>, 'columns' | 'selecting' | 'nameOf'>

function RecordRow<R>({ record, actions, isSelected, onToggle, columns, selecting, nameOf }: RowProps<R>) {
  const [heading, ...rest] = columns
  const press = useLongPress(selecting && !selecting.isActive ? onToggle : undefined)
  const cells = rest.map(column => ({ column, content: column.cell(record) }))
  const filled = cells.filter(({ content }) => !isEmptyCell(content))
  const end = filled.find(({ column }) => column.onPhone === 'end')
  const others = filled.filter(({ column }) => column.onPhone === undefined)
  const unreachable = others.filter(({ column }) => !column.reach)
  // A second line without anything else says how to reach the person.
  const details = unreachable.length > 0 ? unreachable : others
  return (
    <li
      className={cx('relative flex min-h-16 items-center gap-3 py-1.5 pr-2 pl-4', isSelected && 'bg-soft')}
      {...press}
    >
      {selecting?.isActive && (
        <SelectBox label={selectLabel(selecting.nameOf(record))} checked={isSelected} onChange={onToggle} />
      )}
      {heading?.picture?.(record)}
      <div className="min-w-0 flex-1">
        <div className="truncate font-medium [&_a]:after:absolute [&_a]:after:inset-0">
          {heading?.cell(record)}
        </div>
        {(details.length > 0 || end) && (
          <div className="mt-0.5 flex items-center gap-2">
            <p className="min-w-0 flex-1 truncate text-muted [&_.block]:inline [&_.grid]:inline">
              {details.map(({ column, content }, index) => (
                <Fragment key={column.id}>
                  {index > 0 && <span aria-hidden> · </span>}
                  <span className="sr-only"> {column.header}: </span>
                  {content}
                </Fragment>
              ))}
            </p>
            {end && <span className="shrink-0 font-medium">{end.content}</span>}
          </div>
        )}
      </div>
      <RowEnd record={record} columns={columns} actions={actions} name={nameOf?.(record)} />
    </li>
  )
}

type EndProps<R> = { record: R; columns: readonly Column<R>[]; actions: ReactNode; name: string | undefined }

/** The end of a row: a button that calls or mails the record's person, and the menu of the row. */
function RowEnd<R>({ record, columns, actions, name }: EndProps<R>) {
  const urls = columns.flatMap(({ reach }) => reach?.(record) ?? [])
  const best = urls.find(url => url.startsWith('tel:')) ?? urls[0]
  if (name === undefined) return <span className="relative inline-flex print:hidden">{actions}</span>
  return (
    <span className="relative inline-flex shrink-0 print:hidden">
      {best && (
        <a
          href={best}
          aria-label={best.startsWith('tel:') ? t`Call ${name}` : t`Email ${name}`}
          className="inline-flex size-12 items-center justify-center rounded-full bg-soft text-accent-text"
        >
          <ReachIcon url={best} className="size-5" />
        </a>
      )}
      {(urls.length > 0 || actions) && (
        <Menu
          trigger={
            <button
              type="button"
              aria-label={t`Actions for ${name}`}
              className={cx(iconButtonClass, 'size-12!')}
            >
              <Ellipsis aria-hidden className="size-5" />
            </button>
          }
        >
          {urls.map(url => (
            <Base.LinkItem key={url} href={url} className="option">
              <ReachIcon url={url} className="size-4.5" />
              {url.slice(url.indexOf(':') + 1)}
            </Base.LinkItem>
          ))}
          <MenuItems>{actions}</MenuItems>
        </Menu>
      )}
    </span>
  )
}

function ReachIcon({ url, className }: { url: string; className: string }) {
  const Icon = url.startsWith('tel:') ? Phone : Mail
  return <Icon aria-hidden className={className} />
}
