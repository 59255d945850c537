import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import type { Profile, Theme } from '~/core'
import { useLoaded } from '~/lib/load'
import { problemOf } from '~/lib/problem'
import { useTitle } from '~/lib/title'
import { Button } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { ConnectedNotice } from './ConnectedNotice'
import type { settingsLoader } from './route'
import { Settings } from './Settings'
import { SettingsSkeleton } from './SettingsSkeleton'

/** One's own account: who one is, how it looks, and how one signs in. */
export function SettingsPage() {
  useTitle('Settings')
  const { coming } = useLoaderData<typeof settingsLoader>()
  const { outcome } = useLoaded(coming)
  // A reload that fails takes nothing away: there may be typed work on the page.
  const [known, setKnown] = useState<[Profile, Theme]>()
  if (outcome?.ok && outcome.value !== known) setKnown(outcome.value)
  const { revalidate, state } = useRevalidator()
  return (
    <Page title="Settings">
      <ConnectedNotice />
      {known ? (
        <Settings profile={known[0]} theme={known[1]} />
      ) : outcome?.ok === false ? (
        <div className="card">
          <State
            urgent
            icon={<TriangleAlert className="size-6" />}
            title="Your settings could not be loaded"
            action={
              <Button kind="primary" busy={state === 'loading'} onClick={() => void revalidate()}>
                Try Again
              </Button>
            }
          >
            {problemOf(outcome.error)?.message}
          </State>
        </div>
      ) : (
        <SettingsSkeleton />
      )}
    </Page>
  )
}
