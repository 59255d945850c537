import { plural, t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { OldVehicle, StockAge, StockFigures } from '~/core'
import { count } from '~/lib/format'
import { paths } from '~/lib/paths'
import { vehicleStatusNames } from '~/lib/words'
import { ShownPlate } from '~/records/vehicles/Plate'
import { cx } from '~/ui/cx'
import { stockAddress, stockAgeAddress, undatedStockAddress } from './addresses'
import { DashboardCard } from './DashboardCard'
import { ownAmountFormats } from './format'

/** The colours of the ages, the newest first. */
const COLORS = ['bg-success', 'bg-muted', 'bg-warning', 'bg-danger']

/** The vehicles in stock by age, and those that have been in stock for longest. */
export function StockCard({ stock }: { stock: StockFigures }) {
  const { short, full } = ownAmountFormats()
  const parts = partsOf(stock)
  return (
    <DashboardCard title={t`Stock by age`} all={{ name: t`Open as list`, to: stockAddress() }}>
      {stock.count === 0 ? (
        <p className="py-6 text-center text-muted">{t`No vehicles in stock.`}</p>
      ) : (
        <>
          <div aria-hidden className="meter mt-2 flex h-2.5 gap-0.5 overflow-hidden rounded-full">
            {parts.map(part => (
              <span key={part.name} className={part.color} style={{ flexGrow: part.count }} />
            ))}
          </div>
          <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
            {parts.map(part => (
              <div key={part.name} className="relative touch:min-h-touch">
                <dt className="flex items-center gap-1.5 text-xs text-muted">
                  <span aria-hidden className={cx('meter size-2 shrink-0 rounded-full', part.color)} />
                  {part.count > 0 ? (
                    <Link to={part.to} className="rounded after:absolute after:inset-0 hover:underline">
                      {part.name}
                    </Link>
                  ) : (
                    part.name
                  )}
                </dt>
                <dd className="mt-0.5 tabular-nums *:whitespace-nowrap">
                  <span className="font-semibold">{count(part.count)}</span>{' '}
                  <span className="text-muted">{short(part.value)}</span>
                </dd>
              </div>
            ))}
          </dl>
          <h3 className="mt-4 text-xs font-medium text-muted">{t`In stock for longest`}</h3>
          <ul className="mt-1 divide-y divide-line">
            {stock.oldest.map(vehicle => (
              <OldestVehicle key={vehicle.vehicle_id} vehicle={vehicle} price={full} />
            ))}
          </ul>
        </>
      )}
    </DashboardCard>
  )
}

/**
 * Returns the ages and, if there are such vehicles, those in stock since an unknown day, each with its colour
 * and the URL of its list.
 */
const partsOf = ({ ages, unknown }: StockFigures) => [
  ...ages.map((age, index) => ({
    count: age.count,
    value: age.value,
    name: nameOf(age),
    color: COLORS[index],
    to: stockAgeAddress(age),
  })),
  ...(unknown ? [{ ...unknown, name: t`Unknown`, color: 'bg-edge', to: undatedStockAddress() }] : []),
]

const nameOf = ({ from, to }: StockAge) =>
  to === undefined ? t`Over ${String(from - 1)} days` : t`${String(from)} to ${String(to)} days`

type OldestProps = { vehicle: OldVehicle; price: (amount: number) => string }

function OldestVehicle({ vehicle, price }: OldestProps) {
  const { vehicle_id, name, registration_country, plate, status, days, asking_price } = vehicle
  return (
    <li className="relative flex min-h-11 items-center gap-x-3 gap-y-1 py-2 hover:bg-subtle max-sm:flex-wrap">
      <Link
        to={paths.vehicle(vehicle_id)}
        title={name}
        className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0 max-sm:basis-40"
      >
        {carOf(name, plate)}
      </Link>
      <ShownPlate country={registration_country} number={plate} />
      {status === 'Reserved' && (
        <span className="shrink-0 text-xs text-muted">{vehicleStatusNames[status]}</span>
      )}
      <span className="shrink-0 whitespace-nowrap text-muted sm:min-w-18 sm:text-right tabular-nums">
        {plural(days, { one: '# day', other: '# days' })}
      </span>
      <span className="shrink-0 whitespace-nowrap sm:min-w-20 sm:text-right tabular-nums">
        {asking_price !== undefined && price(asking_price)}
      </span>
    </li>
  )
}

/** Returns a vehicle's name without its registration number, which is shown as a plate. */
const carOf = (name: string, number: string) => (number ? name.replace(/,[^,]*$/, '') : name) || name
