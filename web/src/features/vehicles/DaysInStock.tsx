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

type TextProps = Props & {
  /** The status is beside it, so that the words "in stock" are not repeated. */
  isShort?: boolean
  /** Something is shown before it, from which a dot separates it. */
  isAfter?: boolean
}

/** Shows for how many days a vehicle has been in stock, in words; nothing if it isn't in stock. */
export function DaysText({ isShort, isAfter, ...vehicle }: TextProps) {
  const { rules } = useLists()
  const days = rules && daysOf(rules, vehicle)
  if (days === undefined) return null
  return (
    <>
      {isAfter && ' · '}
      {isShort
        ? plural(days, { one: '# day', other: '# days' })
        : plural(days, { one: '# day in stock', other: '# days in stock' })}
    </>
  )
}
