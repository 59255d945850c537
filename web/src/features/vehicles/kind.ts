import { t } from '@lingui/core/macro'
import { type ListQuery, readQuery } from '~/lib/query'
import { vehicleStatusNames } from '~/lib/words'
import { recordKind } from '~/records/kind'
import { fuelNames, ownershipNames, transmissionNames } from './words'

export const kind = recordKind({
  resource: 'vehicles',
  icon: 'car',
  words: {
    one: t`vehicle`,
    many: t`vehicles`,
    definite: t({ message: 'vehicle', context: 'definite' }),
  },
  create: { title: t`New vehicle`, also: t`add create car` },
  choiceNames: [fuelNames, transmissionNames, ownershipNames],
  idOf: vehicle => vehicle.vehicle_id,
  nameOf: vehicle => vehicle.name,
  detailOf: vehicle => vehicle.stock_number,
  noteOf: ({ stock_number, status }) => `${stock_number} · ${vehicleStatusNames[status]}`,
  // `board` shows the vehicles as a board instead of a table.
  parameters: ['layout'],
  read: (params): ListQuery & { layout: 'board' | '' } => ({
    ...readQuery(params),
    layout: params.get('layout') === 'board' ? 'board' : '',
  }),
})

/** The query of the list of vehicles, as in the URL. */
export type VehicleQuery = ReturnType<typeof kind.read>
