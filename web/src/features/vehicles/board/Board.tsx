import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Vehicle, VehicleStatus } from '~/core'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { useLists } from '~/records/useFields'
import type { Records } from '~/records/useRecords'
import { ScrollRegion } from '~/ui/ScrollRegion'
import { BoardColumn } from './BoardColumn'
import { filterOf, statuses, useBoard } from './useBoard'

/** The board: the vehicles that the list finds, in a column for each status. */
export function Board({ records, isStale }: { records: Records<Vehicle>; isStale: boolean }) {
  const { query, may, loaded, refresh } = records
  const { rules } = useLists()
  const board = useBoard({ query, rules, version: loaded.outcome, refresh })
  const [dragged, setDragged] = useState<Vehicle>()
  const nextOf = ({ status }: Vehicle) =>
    may.can_update && rules ? rules.vehicleStatuses(status).filter(next => next !== status) : []
  const move = async (vehicle: Vehicle, status: VehicleStatus) => {
    setDragged(undefined)
    await board.move(vehicle, status)
    const button = document.querySelector<HTMLElement>(`[data-move="${vehicle.vehicle_id}"] button`)
    const { activeElement, body } = document
    // Focuses the card again, which has lost the focus by moving to another column, unless the user has moved on.
    if (activeElement === body || button?.closest('li')?.contains(activeElement)) button?.focus()
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
            onDismiss={board.dismiss}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {board.said}
      </p>
    </ScrollRegion>
  )
}
