import { t } from '@lingui/core/macro'
import { useLoaderData } from 'react-router'
import { useLoaded } from '~/lib/load'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { LoadFailed } from '~/records/LoadFailed'
import { Page } from '~/ui/Page'
import type { subscriptionsLoader } from './loader'
import { ModulesSkeleton } from './ModulesSkeleton'
import { Subscriptions } from './Subscriptions'

export function SubscriptionsPage() {
  useTitle(t`Subscriptions`)
  const { promise } = useLoaderData<typeof subscriptionsLoader>()
  const { outcome } = useLoaded(promise)
  const { profile } = useSession()
  return (
    <Page
      title={t`Subscriptions`}
      subtitle={t`What's included for ${profile.corp.corp_name}, and who to ask for more.`}
    >
      {!outcome ? (
        <ModulesSkeleton />
      ) : outcome.ok ? (
        <Subscriptions allowed={outcome.value} corporation={profile.corp.corp_name} />
      ) : (
        <div className="card">
          <LoadFailed
            error={outcome.error}
            title={t`Failed to load resources`}
            forbidden={t`You don't have access to subscriptions`}
          />
        </div>
      )}
    </Page>
  )
}
