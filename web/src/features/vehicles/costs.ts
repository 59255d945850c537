import type { Cost, CostInput, Vehicle } from '~/core'

/** The form values of a cost, all texts as typed. */
export type CostValues = { [K in keyof CostInput]-?: string }

const textOf = (amount: number | undefined) => (amount === undefined ? '' : String(amount))

const costValues = ({ date, kind, net, vat, note }: Cost): CostValues => ({
  date,
  kind,
  net: textOf(net),
  vat: textOf(vat),
  note,
})

/** Returns those form values of a vehicle that only users with the permission to read costs may see. */
export const costInputOf = (vehicle?: Vehicle) => ({
  purchase_price: textOf(vehicle?.purchase_price),
  minimum_price: textOf(vehicle?.minimum_price),
  costs: (vehicle?.costs ?? []).map(costValues),
})

/** Returns the form values without those of `costInputOf`, to send them for a user who may not read costs. */
export function withoutCostInput<T extends object>(values: T) {
  const { purchase_price, minimum_price, costs, ...rest } = values as T & ReturnType<typeof costInputOf>
  return rest as unknown as Omit<T, keyof ReturnType<typeof costInputOf>>
}
