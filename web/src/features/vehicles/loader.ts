import type { Vehicle } from '~/core'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import type { RecordSource } from '~/records/useNeighbors'

/** The query of the list of vehicles. `layout` says whether they are shown as a board instead of a table. */
export type VehicleQuery = ListQuery & { layout: 'board' | '' }

export const vehicleSource: RecordSource<Vehicle, VehicleQuery> = {
  read: params => ({ ...readQuery(params), layout: params.get('layout') === 'board' ? 'board' : '' }),
  list: (core, query) =>
    core.listRecords('vehicles', { ...parametersOf(query), limit: core.recordPageSize('vehicles') }),
  address: ({ layout, ...query }) => listAddress(paths.vehicles, query, { layout }),
  idOf: vehicle => vehicle.vehicle_id,
  pathOf: paths.vehicle,
}

export const vehiclesLoader = listLoader(vehicleSource.read, vehicleSource.list)

export const vehicleLoader = recordLoader((core, id) => core.getRecord('vehicles', id))
