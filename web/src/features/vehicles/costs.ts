import { type Cost, type CostInput, core, type Vehicle } from '~/core'
import { useSession } from '~/lib/session'

/** Returns whether the signed-in user sees purchase prices, minimum prices and costs. */
export function useMayReadCosts(): boolean {
  const { resources } = useSession()
  return core.may(resources, 'vehiclesCosts', 'read')
}

/** Returns the corporation's rate of VAT, in hundredths of a percent. */
export function useVatRate(): number {
  const { corp } = useSession().profile
  return corp.vat_rate
}

/** Today's date in the browser's time zone. */
export function today(): string {
  const now = new Date()
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

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
