import { t } from '@lingui/core/macro'
import { useForm } from 'react-hook-form'
import { core, type Vehicle } from '~/core'
import { vehicleStatusNames } from '~/lib/words'
import { SuggestField } from '~/records/SuggestField'

const MAX_SUGGESTIONS = 8

/** A sold vehicle is in no other agreement. */
const NOT_SOLD = JSON.stringify([{ field: 'status', op: 'is_not', value: 'Sold' }])

async function findVehicles(search: string, signal: AbortSignal) {
  const query = { page: 1, limit: MAX_SUGGESTIONS, search, filter: NOT_SOLD }
  const { data, totalItems } = await core.listRecords('vehicles', query, signal)
  return { found: data, total: totalItems }
}

type Props = { label: string; help: string; onChoose: (vehicle: Vehicle) => void }

/** Finds a vehicle by what is typed, and adds it to an agreement. */
export function LegAdder({ label, help, onChoose }: Props) {
  const { control } = useForm({ defaultValues: { text: '' } })
  return (
    <SuggestField<{ text: string }, Vehicle>
      control={control}
      name="text"
      label={label}
      help={help}
      find={findVehicles}
      idOf={({ vehicle_id }) => vehicle_id}
      titleOf={({ name }) => name}
      noteOf={({ stock_number, status }) => `${stock_number} · ${vehicleStatusNames[status]}`}
      nothing={t`No vehicle matches. Add it under Vehicles first.`}
      failed={t`Couldn't search vehicles.`}
      onChoose={onChoose}
      onType={() => {}}
    />
  )
}
