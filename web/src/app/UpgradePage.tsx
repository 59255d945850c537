import { t } from '@lingui/core/macro'
import { PackageOpen } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** Shown instead of the pages of a module to which the corporation hasn't subscribed. */
export function UpgradePage({ feature }: { feature: string }) {
  useTitle(feature)
  const { profile } = useSession()
  return (
    <Page title={feature}>
      <div className="card">
        <State
          icon={<PackageOpen className="size-6" />}
          title={t`${feature} isn't included yet`}
          action={
            <Link to={paths.subscriptions} className={buttonClass('primary')}>
              {t`See what's included`}
            </Link>
          }
        >
          {t`${profile.corp.corp_name} doesn't have this module. See what's included and who to ask for more.`}
        </State>
      </div>
    </Page>
  )
}
