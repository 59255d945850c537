import { t } from '@lingui/core/macro'
import { Car } from 'lucide-react'
import { useCallback } from 'react'
import { useRevalidator } from 'react-router'
import type { Vehicle } from '~/core'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { RecordsPage } from '~/records/RecordsPage'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { Board } from './board/Board'
import { LayoutLinks } from './board/LayoutLinks'
import { columns } from './columns'
import { DeleteVehicleDialog } from './DeleteVehicleDialog'
import { type VehicleQuery, vehicleSource } from './loader'
import { usePhotoAdded } from './photos/uploads'
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

/** The page with the list of vehicles. */
export function VehiclesPage() {
  useTitle(words.title)
  const { revalidate } = useRevalidator()
  usePhotoAdded(
    useCallback(
      ({ photo_count }) => {
        // The first photo is the cover, which the list shows, so the list is reloaded.
        if (photo_count === 1) runOnceSaved(() => void revalidate())
      },
      [revalidate],
    ),
  )
  return (
    <RecordsPage<Vehicle, VehicleQuery>
      list="vehicles"
      route={paths.vehicles}
      words={words}
      icon={Car}
      columns={columns}
      idOf={({ vehicle_id }) => vehicle_id}
      nameOf={({ name }) => name}
      Form={VehicleForm}
      Deletion={DeleteVehicleDialog}
      address={vehicleSource.address}
      buttons={query => <LayoutLinks query={query} />}
      isBoard={({ layout }) => layout === 'board'}
      board={(records, stale) => <Board records={records} isStale={stale} />}
    />
  )
}
