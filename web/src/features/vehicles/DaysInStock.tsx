import { plural } from '@lingui/core/macro'
import type { Vehicle } from '~/core'
import type { ListsCore } from '~/core/lists'
import { today } from '~/lib/today'
import { useLists } from '~/records/useFields'
import { NONE } from '~/ui/Card'

type Props = Pick<Vehicle, 'status' | 'in_stock_on'>

/** Returns for how many days a vehicle has been in stock; undefined if it isn't in stock. */
export const daysOf = (rules: ListsCore, { status, in_stock_on }: Props) =>
  rules.daysInStock(status, in_stock_on, today())

/** Shows for how many days a vehicle has been in stock, as a number. */
export function DaysInStock(vehicle: Props) {
  const { rules } = useLists()
  const days = rules && daysOf(rules, vehicle)
  if (days === undefined) return rules ? NONE : null
  return <span className="block tabular-nums lg:text-right">{days}</span>
}

/** Shows for how many days a vehicle has been in stock, in words; nothing if it isn't in stock. */
export function DaysText(vehicle: Props) {
  const { rules } = useLists()
  const days = rules && daysOf(rules, vehicle)
  return days === undefined ? null : (
    <> · {plural(days, { one: '# day in stock', other: '# days in stock' })}</>
  )
}
