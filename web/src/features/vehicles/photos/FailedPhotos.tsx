import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { Notice } from '~/ui/Notice'
import { useVehiclesWithFailures } from './uploads'

/** Says of which vehicles photos could not be added, with links to their pages, where they can be sent again. */
export function FailedPhotos() {
  const vehicles = useVehiclesWithFailures()
  if (vehicles.length === 0) return null
  return (
    <Notice
      kind="error"
      title={t`Some photos couldn't be added. Open a vehicle to try again.`}
      className="mb-4"
    >
      {vehicles.map(({ vehicle, name }) => (
        <Link key={vehicle} to={paths.vehicle(vehicle)} className="mr-4 underline">
          {name}
        </Link>
      ))}
    </Notice>
  )
}
