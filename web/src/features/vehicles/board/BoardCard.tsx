import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { ArrowRightLeft } from 'lucide-react'
import type { Vehicle, VehicleStatus } from '~/core'
import { shortOwnMoney } from '~/lib/format'
import { paths } from '~/lib/paths'
import { vehicleStatusNames } from '~/lib/words'
import { RecordLink } from '~/records/RecordLink'
import { Cover } from '~/records/vehicles/Cover'
import { mileageText } from '~/records/vehicles/mileage'
import { Plate } from '~/records/vehicles/Plate'
import { cx } from '~/ui/cx'
import { IconButton } from '~/ui/IconButton'
import { Menu } from '~/ui/Menu'

type Props = {
  vehicle: Vehicle
  /** The statuses to which the vehicle can be moved; empty if the user may not edit vehicles. */
  next: VehicleStatus[]
  isDragged: boolean
  onDrag: (vehicle: Vehicle | undefined) => void
  onMove: (status: VehicleStatus) => void
}

/** A vehicle on the board. The user moves it to another column by dragging, or by its menu. */
export function BoardCard({ vehicle, next, isDragged, onDrag, onMove }: Props) {
  const { vehicle_id, name, registration_country, registration_number, asking_price, variant } = vehicle
  const facts = [vehicle.model_year, mileageText(vehicle)].filter(Boolean).join(' · ')
  const car = [vehicle.make, vehicle.model].filter(Boolean).join(' ') || name
  return (
    <li
      draggable={next.length > 0}
      className={cx(
        // The margin is the distance from the card to the edge of its column, and of the board.
        'card relative scroll-mx-5 grid grid-cols-[minmax(0,1fr)] gap-2 p-3 transition-shadow hover:shadow-float',
        isDragged && 'opacity-40',
        next.length > 0 && 'cursor-grab',
      )}
      onDragStart={event => {
        event.dataTransfer.effectAllowed = 'move'
        // Set because Firefox doesn't drag an element without data.
        event.dataTransfer.setData('text/plain', name)
        onDrag(vehicle)
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <div className="flex gap-3">
        <Cover vehicle={vehicle} className="h-12 w-16" />
        <div className="min-w-0 flex-1">
          <RecordLink
            to={paths.vehicle(vehicle_id)}
            title={car === name ? name : [car, variant, registration_number].filter(Boolean).join(' ')}
            className="block truncate font-medium after:absolute after:inset-0 hover:underline"
          >
            {car}
            {variant && <span className="font-normal text-muted"> {variant}</span>}
          </RecordLink>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-muted tabular-nums">
            <Plate country={registration_country} number={registration_number} />
            {facts}
          </p>
        </div>
      </div>
      <div className="flex min-h-9 items-center justify-between gap-2">
        <span className="font-medium tabular-nums">
          {asking_price === undefined ? '' : shortOwnMoney(asking_price)}
        </span>
        {next.length > 0 && (
          <span className="relative" data-move={vehicle_id}>
            <Menu
              trigger={
                <IconButton
                  label={t`Move ${name}`}
                  tip={t`Move to…`}
                  icon={<ArrowRightLeft aria-hidden className="size-4" />}
                />
              }
            >
              {next.map(status => (
                <Base.Item key={status} className="option" onClick={() => onMove(status)}>
                  {vehicleStatusNames[status]}
                </Base.Item>
              ))}
            </Menu>
          </span>
        )}
      </div>
    </li>
  )
}
