import { t } from '@lingui/core/macro'
import { type ComponentType, useMemo, useState } from 'react'
import type { Control } from 'react-hook-form'
import { core, type Vehicle } from '~/core'
import type { ListsCore } from '~/core/lists'
import { useSession } from '~/lib/session'
import { vehicleStatusNames } from '~/lib/words'
import { SuggestField } from '~/records/SuggestField'
import { MAX_SUGGESTIONS } from '~/records/useSuggestions'
import { loadVehicleForm, type VehicleDialog } from '~/records/vehicles/vehicleForm'
import type { AgreementValues } from './values'

/** Leaves out sold vehicles, which can't be added to an agreement. */
const NOT_SOLD = JSON.stringify([{ field: 'status', op: 'is_not', value: 'Sold' }])

/** Searches the vehicles without those with these ids. */
async function findVehicles(without: string[], search: string, signal: AbortSignal) {
  const query = { page: 1, limit: MAX_SUGGESTIONS + without.length, search, filter: NOT_SOLD }
  const { data, totalItems } = await core.listRecords('vehicles', query, signal)
  const found = data.filter(({ vehicle_id }) => !without.includes(vehicle_id))
  return { found: found.slice(0, MAX_SUGGESTIONS), total: totalItems - (data.length - found.length) }
}

type Props = {
  control: Control<AgreementValues>
  /** The field of the form with the typed text. */
  name: 'vehicle' | 'part_exchange'
  label: string
  help: string
  /** The ids of the agreement's vehicles, which are not suggested again. */
  taken: string[]
  rules: ListsCore
  /** The user may create a vehicle. */
  mayCreate: boolean
  /** The agreement takes the vehicle in, so a created one is not in stock yet. */
  isTakenIn: boolean
  /** The storage key of the draft of a created vehicle, to which the typed text is added. */
  draft: string
  inputRef?: (input: HTMLInputElement | null) => void
  onChoose: (vehicle: Vehicle) => void
}

/** The creation of a vehicle: its form, what that begins with, its draft's key, and the function that adds the vehicle. */
type VehicleCreation = {
  Form: ComponentType<VehicleDialog>
  initial: VehicleDialog['initial']
  draft: string
  choose: (vehicle: Vehicle) => void
}

/** Finds a vehicle by what is typed, or creates it, and adds it to an agreement. */
export function LegAdder({ taken, rules, mayCreate, isTakenIn, draft, ...props }: Props) {
  const { country } = useSession().profile.corp
  const [creation, setCreation] = useState<VehicleCreation>()
  const ids = taken.join()
  const find = useMemo(() => findVehicles.bind(null, ids.split(',')), [ids])
  const start = async (text: string, choose: VehicleCreation['choose']) => {
    const Form = await loadVehicleForm()
    if (!Form) return
    const registration_number = rules.isPlate(country, text) ? text : ''
    const initial = { registration_number, status: isTakenIn ? 'Expected' : 'In stock' } as const
    // Each vehicle has a draft of its own.
    setCreation({ Form, initial, draft: `${draft} ${text}`, choose })
  }
  return (
    <>
      <SuggestField<AgreementValues, Vehicle>
        {...props}
        isAdder
        creation={mayCreate ? { label: t`Create vehicle`, start } : undefined}
        find={find}
        idOf={({ vehicle_id }) => vehicle_id}
        titleOf={({ name }) => name}
        noteOf={({ stock_number, status }) => `${stock_number} · ${vehicleStatusNames[status]}`}
        nothing={mayCreate ? t`No vehicle matches.` : t`No vehicle matches. Add it under Vehicles first.`}
        failed={t`Couldn't search vehicles.`}
        onType={() => {}}
      />
      {creation && (
        <creation.Form
          initial={creation.initial}
          draft={creation.draft}
          onClose={() => setCreation(undefined)}
          onSaved={vehicle => {
            setCreation(undefined)
            creation.choose(vehicle)
          }}
        />
      )}
    </>
  )
}
