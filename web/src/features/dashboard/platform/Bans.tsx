import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { PlatformBan } from '~/core'
import { day } from '~/lib/format'
import { paths } from '~/lib/paths'
import { Time } from '~/records/Time'
import { DashboardCard } from '../DashboardCard'

/** The latest bans of users, each with a link to the users of the corporation, where it can be lifted. */
export function Bans({ bans }: { bans: PlatformBan[] }) {
  return (
    <DashboardCard title={t`Recent bans`}>
      {bans.length === 0 && <p className="py-2 text-muted">{t`No user is banned.`}</p>}
      <ul className="divide-y divide-line">
        {bans.map(({ user_id, name, corp_id, corporation, reason, banned_at }) => (
          <li key={user_id} className="relative flex items-start gap-3 py-2.5 hover:bg-subtle">
            <div className="min-w-0 flex-1">
              <p className="[overflow-wrap:anywhere]">
                <Link
                  to={paths.corporationUsers(corp_id)}
                  className="font-medium after:absolute after:inset-0"
                >
                  {name}
                </Link>{' '}
                <span className="text-muted">{corporation}</span>
              </p>
              <p className="text-xs text-muted [overflow-wrap:anywhere]">{reason}</p>
            </div>
            <Time at={banned_at} className="text-xs text-muted tabular-nums">
              {day(banned_at)}
            </Time>
          </li>
        ))}
      </ul>
    </DashboardCard>
  )
}
