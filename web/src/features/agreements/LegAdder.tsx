import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import type { Control } from 'react-hook-form'
import { core, type Vehicle } from '~/core'
import { vehicleStatusNames } from '~/lib/words'
import { SuggestField } from '~/records/SuggestField'
import { MAX_SUGGESTIONS } from '~/records/useSuggestions'
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
  inputRef?: (input: HTMLInputElement | null) => void
  onChoose: (vehicle: Vehicle) => void
}

/** Finds a vehicle by what is typed, and adds it to an agreement. */
export function LegAdder({ taken, ...props }: Props) {
  const ids = taken.join()
  const find = useMemo(() => findVehicles.bind(null, ids.split(',')), [ids])
  return (
    <SuggestField<AgreementValues, Vehicle>
      {...props}
      isAdder
      find={find}
      idOf={({ vehicle_id }) => vehicle_id}
      titleOf={({ name }) => name}
      noteOf={({ stock_number, status }) => `${stock_number} · ${vehicleStatusNames[status]}`}
      nothing={t`No vehicle matches. Add it under Vehicles first.`}
      failed={t`Couldn't search vehicles.`}
      onType={() => {}}
    />
  )
}
