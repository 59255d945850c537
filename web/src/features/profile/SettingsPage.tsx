import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Profile, Theme } from '~/core'
import { useLoaded } from '~/lib/load'
import { useTitle } from '~/lib/title'
import { LoadFailed } from '~/records/LoadFailed'
import { Page } from '~/ui/Page'
import { ConnectedNotice } from './ConnectedNotice'
import type { settingsLoader } from './loader'
import { Settings } from './Settings'
import { SettingsSkeleton } from './SettingsSkeleton'

export function SettingsPage() {
  useTitle(t`Settings`)
  const { promise } = useLoaderData<typeof settingsLoader>()
  const { outcome } = useLoaded(promise)
  // The values loaded last, which stay if a reload fails, because the page may have unsaved changes.
  const [known, setKnown] = useState<[Profile, Theme]>()
  if (outcome?.ok && outcome.value !== known) setKnown(outcome.value)
  return (
    <Page title={t`Settings`}>
      <ConnectedNotice />
      {known ? (
        <Settings profile={known[0]} theme={known[1]} />
      ) : outcome?.ok === false ? (
        <div className="card">
          <LoadFailed
            error={outcome.error}
            title={t`Your settings couldn't be loaded`}
            forbidden={t`You don't have access to your settings`}
          />
        </div>
      ) : (
        <SettingsSkeleton />
      )}
    </Page>
  )
}
