import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { CorporationFigures } from '~/core'
import { count } from '~/lib/format'
import { paths } from '~/lib/paths'
import { Time } from '~/records/Time'
import { Avatar } from '~/ui/Avatar'
import { Badge } from '~/ui/Badge'
import { DashboardCard } from '../DashboardCard'

/** The corporations by activity. */
export function ActiveCorporations({ corporations }: { corporations: CorporationFigures[] }) {
  return (
    <DashboardCard title={t`Corporations`} all={{ name: t`All corporations`, to: paths.corporations }}>
      <table className="mt-1 w-full text-left">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            <th scope="col" className="h-9 font-medium">{t`Name`}</th>
            <th scope="col" className="h-9 pl-3 text-right font-medium">{t`Signed-in users`}</th>
            <th scope="col" className="h-9 pl-3 text-right font-medium max-sm:hidden">{t`Records`}</th>
            <th scope="col" className="h-9 pl-6 font-medium max-sm:hidden">{t`Last active`}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {corporations.map(({ corp_id, name, city, active, active_users, users, records, last_active }) => (
            <tr key={corp_id} className="relative h-12 hover:bg-subtle">
              <th scope="row" className="w-full max-w-0 py-2 font-normal sm:w-1/2">
                <span className="flex items-center gap-3">
                  <Avatar name={name} />
                  <span className="grid min-w-0 flex-1">
                    <Link
                      to={paths.corporationUsers(corp_id)}
                      title={name}
                      className="truncate font-medium after:absolute after:inset-0"
                    >
                      {name}
                    </Link>
                    <span className="truncate text-xs text-muted">{city}</span>
                  </span>
                  {!active && (
                    <Badge kind="quiet">{t({ message: 'Inactive', context: 'corporation' })}</Badge>
                  )}
                </span>
              </th>
              <td className="pl-3 text-right whitespace-nowrap tabular-nums">
                {count(active_users)} <span className="text-muted">{t`of ${count(users)}`}</span>
              </td>
              <td className="pl-3 text-right tabular-nums max-sm:hidden">{count(records)}</td>
              <td className="pl-6 whitespace-nowrap text-muted tabular-nums max-sm:hidden">
                {last_active ? <Time at={last_active} /> : t`Never`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </DashboardCard>
  )
}
