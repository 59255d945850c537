import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import type { PlatformFigures } from '~/core'
import { count } from '~/lib/format'
import { size } from '~/lib/size'
import { CardFailed, CardLoading } from '~/records/CardState'
import { Facts } from '~/ui/Card'
import { rescueFocus } from '~/ui/finalFocus'
import { DashboardCard } from '../DashboardCard'
import { FirstSteps } from '../FirstSteps'
import { ActiveCorporations } from './ActiveCorporations'
import { Bans } from './Bans'
import { RunningImports } from './RunningImports'
import { useFigures } from './useFigures'
import { WaitingCorporations } from './WaitingCorporations'

/**
 * The dashboard of a platform administrator: the figures of all corporations, the sign-ups that wait for approval, the
 * corporations by activity, and beside them running imports, bans and the installation.
 */
export function PlatformHome() {
  const { figures, error, retry } = useFigures()
  const cards = useRef<HTMLDivElement>(null)
  const hasChanged = useRef(false)
  useEffect(() => {
    if (!figures) return
    if (!hasChanged.current) return rescueFocus()
    hasChanged.current = false
    // The focused button has disappeared with its row, or with the whole card if no other sign-up waits.
    if (document.activeElement === document.body) cards.current?.querySelector('h2')?.focus()
  }, [figures])
  if (error !== undefined) {
    return (
      <div className="card p-5">
        <CardFailed error={error} failed={t`Failed to load the figures of the platform`} onRetry={retry} />
      </div>
    )
  }
  if (!figures) {
    return (
      <div className="card p-5">
        <CardLoading lines={8} />
      </div>
    )
  }
  if (figures.corporations === 0) return <FirstSteps />
  return (
    <>
      <Figures figures={figures} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div ref={cards} className="grid gap-4 *:min-w-0">
          <WaitingCorporations
            figures={figures}
            onChanged={() => {
              hasChanged.current = true
              retry()
            }}
          />
          <ActiveCorporations corporations={figures.active} />
        </div>
        <div className="grid gap-4 *:min-w-0">
          <RunningImports imports={figures.imports} />
          <Bans bans={figures.bans} />
          <Installation figures={figures} />
        </div>
      </div>
    </>
  )
}

function Installation({ figures }: { figures: PlatformFigures }) {
  const { version, database, database_bytes, disk } = figures
  const facts: [string, string][] = [
    [t`Version`, version],
    [t`Database`, database],
    [t`Size of the database`, size(database_bytes)],
  ]
  if (disk) facts.push([t`Free disk space`, t`${size(disk.free_bytes)} of ${size(disk.total_bytes)}`])
  return (
    <DashboardCard title={t`This installation`}>
      <Facts facts={facts} />
    </DashboardCard>
  )
}

function Figures({ figures }: { figures: PlatformFigures }) {
  const { corporations, new_corporations, active_users, users, records, waiting_count } = figures
  const all = [
    {
      name: t`Corporations`,
      value: corporations,
      note: [
        plural(new_corporations, { one: '# new this month', other: '# new this month' }),
        waiting_count > 0 &&
          plural(waiting_count, { one: '# not approved yet', other: '# not approved yet' }),
      ]
        .filter(Boolean)
        .join(' · '),
    },
    { name: t`Signed in, 7 days`, value: active_users, note: t`of ${count(users)}` },
    { name: t`Records`, value: records, note: t`in the lists of all modules` },
    { name: t`Sign-ups to approve`, value: waiting_count, note: '' },
  ]
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line lg:grid-cols-4">
      {all.map(({ name, value, note }) => (
        <div key={name} className="bg-card p-4 md:p-5">
          <dt className="text-muted">{name}</dt>
          <dd className="mt-1">
            <span className="block text-2xl font-semibold tracking-tight tabular-nums">{count(value)}</span>
            <span className="mt-1 block text-xs text-muted tabular-nums">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
