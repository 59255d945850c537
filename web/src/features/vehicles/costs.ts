import type { Cost, CostInput, FieldError, Vehicle } from '~/core'
import { isSame } from '~/lib/rebase'
import { today } from '~/lib/today'
import { inputsOf, inputText } from '~/records/inputs'

/** The form values of a cost, all texts as typed. */
export type CostValues = { [K in keyof CostInput]-?: string }

const costValues = ({ date, kind, net, vat, note }: Cost): CostValues => ({
  date,
  kind,
  net: inputText(net),
  vat: inputText(vat),
  note,
})

/** Returns the form values of a new cost. */
export const newCost = (): CostValues => ({ date: today(), kind: 'Service', net: '', vat: '', note: '' })

/** Returns whether the user has entered nothing for this cost, so that it can be ignored. */
export function isUntouched(cost: CostValues) {
  const untouched = newCost()
  return (Object.keys(untouched) as (keyof CostValues)[]).every(name => cost[name] === untouched[name])
}

type WithCosts = { costs: CostValues[] }

/** Returns the form values without the costs for which the user has entered nothing. */
export const withoutUntouchedCosts = <T extends Partial<WithCosts>>(values: T): T =>
  values.costs ? { ...values, costs: values.costs.filter(cost => !isUntouched(cost)) } : values

/** Validates the form values without the untouched costs. The errors refer to the rows of the form. */
export function checkTouchedCosts<T extends WithCosts>(
  values: T,
  check: (touched: T) => FieldError[],
): FieldError[] {
  const rows = values.costs.flatMap((cost, row) => (isUntouched(cost) ? [] : [row]))
  return check(withoutUntouchedCosts(values)).map(error => ({
    ...error,
    field: error.field.replace(/^costs\.(\d+)/, (_, index) => `costs.${rows[Number(index)]}`),
  }))
}

/** Returns those form values of a vehicle that only users with the permission to read costs may see. */
export const costInputOf = (vehicle?: Vehicle) => ({
  ...inputsOf(['purchase_price', 'minimum_price'], vehicle),
  costs: (vehicle?.costs ?? []).map(costValues),
})

/**
 * Returns the form values without those of `costInputOf`, which the server then keeps. It would reject them from a user
 * who may not read costs.
 */
export function withoutCostInput<T extends object>(values: T) {
  const { purchase_price, minimum_price, costs, ...rest } = values as T & ReturnType<typeof costInputOf>
  return rest as unknown as Omit<T, keyof ReturnType<typeof costInputOf>>
}

/**
 * Returns the form values without those of `costInputOf` that are as stored, which the server then keeps. It would
 * reject them from a user who may not read costs any more.
 */
export function withoutStoredCosts<T extends ReturnType<typeof costInputOf>>(values: T, stored: Vehicle) {
  const before: Record<string, unknown> = costInputOf(stored)
  const changed = Object.entries(values).filter(([name, value]) => !isSame(value, before[name]))
  return Object.fromEntries(changed) as ReturnType<typeof withoutCostInput<T>> & Partial<T>
}
