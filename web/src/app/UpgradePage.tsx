import { t } from '@lingui/core/macro'
import { PackageOpen } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** Stands in place of the screens of a module that the corporation isn't allowed. */
export function UpgradePage({ feature }: { feature: string }) {
  useTitle(feature)
  const { profile } = useSession()
  return (
    <Page title={feature}>
      <div className="card">
        <State
          icon={<PackageOpen className="size-6" />}
          title={t`${feature} is not included yet`}
          action={
            <Link to={paths.subscriptions} className={buttonClass('primary')}>
              {t`See what is included`}
            </Link>
          }
        >
          {t`${profile.corp.corp_name} does not have this module. See which ones it has, and whom to ask for more.`}
        </State>
      </div>
    </Page>
  )
}
