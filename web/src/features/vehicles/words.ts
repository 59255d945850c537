import { t } from '@lingui/core/macro'
import type { Fuel, Ownership, Transmission } from '~/core'

// The names of the values of choice fields that only vehicles have.

export const fuelNames: Record<Fuel, string> = {
  Petrol: t`Petrol`,
  Diesel: t`Diesel`,
  Electric: t`Electric`,
  Hybrid: t`Hybrid`,
  'Plug-in hybrid': t`Plug-in hybrid`,
  Gas: t`Gas`,
  Other: t({ message: 'Other', context: 'fuel' }),
}

export const transmissionNames: Record<Transmission, string> = {
  Manual: t`Manual`,
  Automatic: t`Automatic`,
}

export const ownershipNames: Record<Ownership, string> = {
  Own: t({ message: 'Own', context: 'ownership' }),
  Consigned: t`Consigned`,
}
