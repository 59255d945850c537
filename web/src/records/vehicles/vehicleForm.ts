import { t } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import type { Vehicle } from '~/core'
import { toast } from '~/ui/Toasts'
import type { FormDialog } from '../useDialogs'

/** Props of the form of a vehicle. */
export type VehicleDialog = FormDialog<Vehicle, Vehicle> & {
  /** Values with which a new vehicle begins, instead of the usual ones. */
  initial?: { registration_number: string; status: Vehicle['status'] }
  /** The storage key of the draft, if another form opens this one. */
  draft?: string
}

// A glob, because the form belongs to a feature, and features don't import each other.
const forms = import.meta.glob<ComponentType<VehicleDialog>>('../../features/vehicles/VehicleForm.tsx', {
  import: 'VehicleForm',
})

/** Loads the form of a vehicle, to open it above another form. If that fails, says so and returns undefined. */
export async function loadVehicleForm(): Promise<ComponentType<VehicleDialog> | undefined> {
  try {
    const [load] = Object.values(forms)
    return await load?.()
  } catch {
    toast.error(t`Failed to load the form`)
    return undefined
  }
}
