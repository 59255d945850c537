import { t } from '@lingui/core/macro'
import { Car } from 'lucide-react'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { RecordsPage } from '~/records/RecordsPage'
import { columns } from './columns'
import { DeleteVehicleDialog } from './DeleteVehicleDialog'
import { VehicleForm } from './VehicleForm'

const words = {
  title: t`Vehicles`,
  subtitle: t`Vehicles in stock, expected and sold.`,
  create: t`New vehicle`,
  label: t`Vehicles`,
  noun: t`vehicles`,
  search: t`Search vehicles`,
  loadFailed: t`Failed to load vehicles.`,
  forbidden: t`You don't have access to vehicles`,
  none: t`No vehicles found.`,
  noMatch: (search: string) => t`No name, VIN or registration number matches “${search}”.`,
  first: t`Add the first vehicle`,
  hint: t`A registration number or a VIN is enough to begin with.`,
  edit: (name: string) => t`Edit ${name}`,
  remove: (name: string) => t`Delete ${name}`,
}

/** The list of vehicles. */
export function VehiclesPage() {
  useTitle(words.title)
  return (
    <RecordsPage
      list="vehicles"
      route={paths.vehicles}
      words={words}
      icon={Car}
      columns={columns}
      idOf={({ vehicle_id }) => vehicle_id}
      nameOf={({ name }) => name}
      Form={VehicleForm}
      Deletion={DeleteVehicleDialog}
    />
  )
}
