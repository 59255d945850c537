import { core } from '~/core'
import { useSession } from '~/lib/session'

/** Returns whether the signed-in user sees purchase prices, minimum prices and costs. */
export function useMayReadCosts(): boolean {
  const { resources } = useSession()
  return core.may(resources, 'vehiclesCosts', 'read')
}

/** Returns the corporation's rate of VAT in percent. */
export function useVatRate(): number {
  const { corp } = useSession().profile
  return corp.vat_rate
}
