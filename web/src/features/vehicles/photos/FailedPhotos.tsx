import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { Notice } from '~/ui/Notice'
import { type Photographed, useUnsentPhotos } from './uploads'

/**
 * Says of which vehicles photos could not be added, with links to their pages, where they can be sent again, and of
 * which vehicles photos wait for the connection.
 */
export function FailedPhotos() {
  const { failed, waiting } = useUnsentPhotos()
  return (
    <>
      <Vehicles
        kind="error"
        title={t`Some photos couldn't be added. Open a vehicle to try again.`}
        vehicles={failed}
      />
      <Vehicles
        kind="info"
        title={t`Some photos will be sent when the connection returns.`}
        vehicles={waiting}
      />
    </>
  )
}

type Props = Pick<ComponentProps<typeof Notice>, 'kind' | 'title'> & { vehicles: Photographed[] }

function Vehicles({ vehicles, ...notice }: Props) {
  if (vehicles.length === 0) return null
  return (
    <Notice {...notice} className="mb-4">
      {vehicles.map(({ vehicle, name }) => (
        <Link key={vehicle} to={paths.vehicle(vehicle)} className="mr-4 underline">
          {name}
        </Link>
      ))}
    </Notice>
  )
}
