import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import type { Vehicle, VehicleStatus } from '~/core'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { useLists } from '~/records/useFields'
import type { Records } from '~/records/useRecords'
import { ScrollRegion } from '~/ui/ScrollRegion'
import { BoardColumn } from './BoardColumn'
import { filterOf, statuses, useBoard } from './useBoard'

const buttonOf = (id: string) => document.querySelector<HTMLElement>(`[data-move="${id}"] button`)

/**
 * Returns a card and its menu button; undefined if the card is not shown, or if the focus is elsewhere, because the user
 * has moved on.
 */
function cardOf(id: string) {
  const button = buttonOf(id)
  const card = button?.closest('li')
  const { activeElement, body } = document
  if (!button || !card) return
  return activeElement === body || card.contains(activeElement) ? { button, card } : undefined
}

type Move = {
  id: string
  to: VehicleStatus
  /** The vehicle beside it in the column that it left. */
  neighbor: string | undefined
}

/** Focuses what is nearest to a moved card that no column shows, unless the focus is elsewhere. */
function focusNear({ to, neighbor }: Move) {
  if (document.activeElement !== document.body) return
  const collapsed = `[data-status="${to}"] > [aria-expanded="false"]`
  const button = (neighbor && buttonOf(neighbor)) || document.querySelector<HTMLElement>(collapsed)
  button?.focus()
}

/** The board: the vehicles that the list finds, in a column for each status. */
export function Board({ records, isStale }: { records: Records<Vehicle>; isStale: boolean }) {
  const { query, may, loaded, refresh } = records
  const { rules } = useLists()
  const board = useBoard({ query, rules, version: loaded.outcome, refresh })
  const [dragged, setDragged] = useState<Vehicle>()
  const nextOf = ({ status }: Vehicle) =>
    may.can_update && rules ? rules.vehicleStatuses(status).filter(next => next !== status) : []
  const columns = useRef(board.columns)
  // A vehicle that was moved by its menu, until the columns that show it have loaded again.
  const moved = useRef<Move & { columns: { status: VehicleStatus; before: unknown }[] }>(undefined)
  useEffect(() => {
    columns.current = board.columns
    if (!moved.current) return
    const { columns: reloading, ...done } = moved.current
    if (reloading.some(({ status, before }) => board.columns[status] === before)) return
    moved.current = undefined
    const shown = cardOf(done.id)
    if (!shown) focusNear(done)
    shown?.button.focus({ preventScroll: true })
    shown?.card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [board.columns])
  const move = async (vehicle: Vehicle, to: VehicleStatus) => {
    const id = vehicle.vehicle_id
    const column = columns.current[vehicle.status]
    const ids = column?.ok ? column.value.data.map(({ vehicle_id }) => vehicle_id) : []
    const index = ids.indexOf(id)
    const card: Move = { id, to, neighbor: ids[index + 1] ?? ids[index - 1] }
    // A dragged card was put where the user looks, so that the board stays still.
    const isDragged = dragged !== undefined
    setDragged(undefined)
    // The list's sort order gives the card its place, which is known once the column has loaded again.
    const reloading = await board.move(vehicle, to)
    if (!isDragged && reloading.length > 0) {
      moved.current = {
        ...card,
        columns: reloading.map(status => ({ status, before: columns.current[status] })),
      }
    }
    // Focuses the card again, which has lost the focus by moving to another column.
    const shown = cardOf(id)
    if (shown) shown.button.focus({ preventScroll: true })
    // A card that goes back is shown once its column has loaded again.
    else if (!reloading.includes(vehicle.status)) focusNear(card)
  }
  const dismiss = () => {
    // Before the button of the refusal disappears with it.
    if (board.refusal) buttonOf(board.refusal.vehicle.vehicle_id)?.focus()
    board.dismiss()
  }
  return (
    <ScrollRegion label={t`Board`} className="overflow-x-auto">
      <div
        aria-busy={isStale}
        className="flex min-w-fit snap-x items-stretch gap-3 p-3 transition-opacity aria-busy:opacity-50"
      >
        {statuses.map(status => (
          <BoardColumn
            key={status}
            status={status}
            outcome={board.columns[status]}
            figures={board.figuresOf(status)}
            refusal={board.refusal?.status === status ? board.refusal : undefined}
            dragged={dragged}
            all={listAddress(paths.vehicles, { ...query, page: 1, filter: filterOf(query.filter, status) })}
            nextOf={nextOf}
            onDrag={setDragged}
            onMove={(vehicle, to) => void move(vehicle, to)}
            onDismiss={dismiss}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {board.said}
      </p>
    </ScrollRegion>
  )
}
