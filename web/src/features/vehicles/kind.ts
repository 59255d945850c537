import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { vehicleStatusNames } from '~/lib/words'
import { firstPage, type Kind, toResults } from '~/records/kind'

export const kind: Kind = {
  resource: 'vehicles',
  title: t`Vehicles`,
  route: paths.vehicles,
  icon: 'car',
  create: { title: t`New vehicle`, also: t`add create car` },
  find: async (text, signal) =>
    toResults(
      await core.listRecords('vehicles', firstPage(text), signal),
      ({ vehicle_id, name, stock_number, status }) => ({
        id: vehicle_id,
        title: name,
        note: `${stock_number} · ${vehicleStatusNames[status]}`,
        to: paths.vehicle(vehicle_id),
      }),
    ),
}
