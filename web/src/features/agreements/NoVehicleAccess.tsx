import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import { Notice } from '~/ui/Notice'

/** Tells a user without access to vehicles why they can't choose any, and who can help. */
export function NoVehicleAccess({ className }: { className: string }) {
  const { resources } = useSession()
  return (
    <Notice kind="info" className={className}>
      {core.moduleToUpgrade(resources, paths.vehicles) ? (
        <>
          {t`You can't choose vehicles because your corporation doesn't have this module.`}{' '}
          <Link to={paths.subscriptions} className="text-accent-text underline">
            {t`See who to ask for it`}
          </Link>
        </>
      ) : (
        t`You can't choose vehicles because you don't have access to vehicles. Ask an administrator for access.`
      )}
    </Notice>
  )
}
