import { plural, t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import type { Vehicle, VehicleStatus } from '~/core'
import type { ListsCore } from '~/core/lists'
import { messageOf } from '~/core/problem'
import { count, shortOwnMoney } from '~/lib/format'
import type { Outcome } from '~/lib/load'
import type { ListPage } from '~/lib/query'
import { vehicleStatusNames } from '~/lib/words'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { BoardCard } from './BoardCard'
import type { Refusal } from './useBoard'

type Props = {
  status: VehicleStatus
  outcome: Outcome<ListPage<Vehicle>> | undefined
  /** The figures of all vehicles of the status; undefined if the column has none. */
  figures: ReturnType<ListsCore['columnFigures']>
  /** Why a vehicle could not be moved to this column; undefined if none was refused. */
  refusal: Refusal | undefined
  /** The vehicle that is being dragged, from any column; undefined if none is. */
  dragged: Vehicle | undefined
  /** The URL of the list with all vehicles of this status. */
  all: string
  nextOf: (vehicle: Vehicle) => VehicleStatus[]
  onDrag: (vehicle: Vehicle | undefined) => void
  onMove: (vehicle: Vehicle, to: VehicleStatus) => void
  onDismiss: () => void
}

const dots: Record<VehicleStatus, string> = {
  Expected: 'bg-accent',
  'In stock': 'bg-success',
  Reserved: 'bg-warning',
  Sold: 'bg-muted',
  Withdrawn: 'bg-muted',
}

/** The column of a status, onto which vehicles can be dropped. That of withdrawn vehicles is collapsed at first. */
export function BoardColumn({ status, outcome, figures, refusal, dragged, all, nextOf, ...on }: Props) {
  const [isOver, setIsOver] = useState(false)
  const [isOpen, setIsOpen] = useState(status !== 'Withdrawn')
  const section = useRef<HTMLElement>(null)
  const toggle = () => {
    // The button that reverses this replaces the pressed one, and takes over its focus.
    flushSync(() => setIsOpen(!isOpen))
    section.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
  }
  const list = outcome?.ok ? outcome.value : undefined
  const rows = list?.data ?? []
  const total = list?.totalItems ?? 0
  const more = total - rows.length
  const name = vehicleStatusNames[status]
  const value = figures?.value ?? 0
  const days = figures?.average_days
  const title = (
    <>
      <span aria-hidden className={cx('size-2 shrink-0 rounded-full', dots[status])} />
      {name}
      {list && <span className="rounded-md bg-subtle px-1.5 text-xs text-muted">{count(total)}</span>}
    </>
  )
  const isShown = isOpen || refusal
  return (
    <section
      ref={section}
      aria-label={name}
      data-status={status}
      className={cx(
        'flex shrink-0 snap-start flex-col gap-3 rounded-xl border bg-subtle/60',
        isShown ? 'w-[min(19rem,82vw)] p-2' : 'w-12',
        isOver ? 'border-accent' : 'border-transparent',
      )}
      onDragOver={event => {
        if (!dragged) return
        event.preventDefault()
        setIsOver(dragged.status !== status)
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={event => {
        if (!dragged) return
        event.preventDefault()
        setIsOver(false)
        on.onMove(dragged, status)
      }}
    >
      {isShown ? (
        <>
          <header className="flex min-h-11 items-center justify-between gap-2 px-1 pt-1 whitespace-nowrap">
            <h2 className="flex items-center gap-2 font-medium">{title}</h2>
            <span className="flex items-center gap-2 text-muted tabular-nums">
              <span className="text-right">
                {value > 0 && shortOwnMoney(value)}
                {days !== undefined && (
                  <span className="block text-xs">
                    {plural(days, { one: '# day on average', other: '# days on average' })}
                  </span>
                )}
              </span>
              {status === 'Withdrawn' && (
                <Button kind="ghost" aria-expanded className="-my-2 px-2" onClick={toggle}>
                  {t`Hide`}
                </Button>
              )}
            </span>
          </header>
          {refusal && (
            <Notice kind="warning" title={t`${refusal.vehicle.name} can't be moved to ${name}`}>
              <span role="alert">{refusal.message}</span>
              <span className="mt-2 block">
                <Button onClick={on.onDismiss}>{t`OK`}</Button>
              </span>
            </Notice>
          )}
          {outcome?.ok === false && (
            <ErrorNotice message={messageOf(outcome.error, t`Failed to load vehicles.`)} />
          )}
          {!outcome && <div className="skeleton h-28 rounded-xl" />}
          <ul aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {rows.map(vehicle => (
              <BoardCard
                key={vehicle.vehicle_id}
                vehicle={vehicle}
                next={nextOf(vehicle)}
                isDragged={vehicle.vehicle_id === dragged?.vehicle_id}
                onDrag={on.onDrag}
                onMove={to => on.onMove(vehicle, to)}
              />
            ))}
          </ul>
          {list && total === 0 && <p className="px-1 text-muted">{t`None`}</p>}
          {more > 0 && (
            <Link
              to={all}
              className="flex items-center justify-center rounded px-1 py-2 text-accent-text hover:underline touch:min-h-touch"
            >
              {t`${count(more)} more`}
            </Link>
          )}
        </>
      ) : (
        <button
          type="button"
          aria-expanded={false}
          className="flex grow items-center justify-start gap-2 rounded-xl px-2 py-4 font-medium [writing-mode:vertical-lr] hover:bg-subtle"
          onClick={toggle}
        >
          {title}
        </button>
      )}
    </section>
  )
}
