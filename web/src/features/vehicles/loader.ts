import type { Vehicle } from '~/core'
import { paths } from '~/lib/paths'
import { listAddress, parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import type { RecordSource } from '~/records/useNeighbors'

export const vehicleSource: RecordSource<Vehicle> = {
  read: readQuery,
  list: (core, query) =>
    core.listRecords('vehicles', { ...parametersOf(query), limit: core.recordPageSize('vehicles') }),
  address: query => listAddress(paths.vehicles, query),
  idOf: vehicle => vehicle.vehicle_id,
  pathOf: paths.vehicle,
}

export const vehiclesLoader = listLoader(vehicleSource.read, vehicleSource.list)

export const vehicleLoader = recordLoader((core, id) => core.getRecord('vehicles', id))
