import type { Cost, CostInput, Vehicle } from '~/core'
import { inputsOf } from '~/records/inputs'

/** The form values of a cost, all texts as typed. */
export type CostValues = { [K in keyof CostInput]-?: string }

const costValues = ({ date, kind, net, vat, note }: Cost): CostValues => ({
  date,
  kind,
  net: String(net),
  vat: String(vat),
  note,
})

/** Returns those form values of a vehicle that only users with the permission to read costs may see. */
export const costInputOf = (vehicle?: Vehicle) => ({
  ...inputsOf(['purchase_price', 'minimum_price'], vehicle),
  costs: (vehicle?.costs ?? []).map(costValues),
})

/** Returns the form values without those of `costInputOf`, to send them for a user who may not read costs. */
export function withoutCostInput<T extends object>(values: T) {
  const { purchase_price, minimum_price, costs, ...rest } = values as T & ReturnType<typeof costInputOf>
  return rest as unknown as Omit<T, keyof ReturnType<typeof costInputOf>>
}
