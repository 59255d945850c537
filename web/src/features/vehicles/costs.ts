import type { Cost, CostInput, Vehicle } from '~/core'

/** A cost as it is typed. */
export type CostValues = { [K in keyof CostInput]-?: string }

const textOf = (amount: number | undefined) => (amount === undefined ? '' : String(amount))

const costValues = ({ date, kind, net, vat, note }: Cost): CostValues => ({
  date,
  kind,
  net: textOf(net),
  vat: textOf(vat),
  note,
})

/** Returns the form values that need the permission to read costs. */
export const hiddenInputOf = (vehicle?: Vehicle) => ({
  purchase_price: textOf(vehicle?.purchase_price),
  minimum_price: textOf(vehicle?.minimum_price),
  costs: (vehicle?.costs ?? []).map(costValues),
})

/** Returns the form values without those, which a form of a user without the permission doesn't send. */
export function withoutHidden<T extends object>(values: T) {
  const { purchase_price, minimum_price, costs, ...rest } = values as T & ReturnType<typeof hiddenInputOf>
  return rest as unknown as Omit<T, keyof ReturnType<typeof hiddenInputOf>>
}
