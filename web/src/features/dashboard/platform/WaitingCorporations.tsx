import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CorporationFigures, PlatformFigures } from '~/core'
import { count, day } from '~/lib/format'
import { paths } from '~/lib/paths'
import { ApproveDialog } from '~/records/ApproveDialog'
import { Time } from '~/records/Time'
import { Badge } from '~/ui/Badge'
import { Button, buttonClass } from '~/ui/Button'
import { DashboardCard } from '../DashboardCard'

type Props = {
  figures: PlatformFigures
  /** Called after an approval, or if another user has deleted the corporation. */
  onChanged: () => void
}

/**
 * The corporations that have signed up and wait for approval; no card if there are none. An open dialog stays open when
 * newer figures arrive.
 */
export function WaitingCorporations({ figures: { waiting, waiting_count }, onChanged }: Props) {
  const [approved, setApproved] = useState<CorporationFigures>()
  const close = () => setApproved(undefined)
  const changed = () => {
    close()
    onChanged()
  }
  return (
    <>
      {waiting.length > 0 && (
        <DashboardCard
          title={t`Sign-ups waiting for approval`}
          note={<Badge kind="accent">{count(waiting_count)}</Badge>}
        >
          <ul className="divide-y divide-line">
            {waiting.map(corporation => {
              const { corp_id, name, city, admin_name, admin_email, created_at } = corporation
              return (
                <li key={corp_id} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
                  <div className="min-w-0 flex-1 basis-44">
                    <p className="truncate font-medium" title={name}>
                      {name}
                    </p>
                    <p className="truncate text-xs text-muted">{city}</p>
                  </div>
                  <div className="min-w-0 flex-1 basis-44">
                    <p className="truncate">{admin_name}</p>
                    <a
                      href={`mailto:${admin_email}`}
                      className="block truncate text-xs text-accent-text hover:underline"
                    >
                      {admin_email}
                    </a>
                  </div>
                  <Time at={created_at} className="text-xs text-muted tabular-nums">
                    {day(created_at)}
                  </Time>
                  <span className="flex gap-2">
                    <Link
                      to={paths.corporationUsers(corp_id)}
                      aria-label={t`Review ${name}`}
                      className={buttonClass()}
                    >
                      {t`Review`}
                    </Link>
                    <Button
                      kind="primary"
                      aria-label={t`Approve ${name}`}
                      onClick={() => setApproved(corporation)}
                    >
                      {t`Approve`}
                    </Button>
                  </span>
                </li>
              )
            })}
          </ul>
        </DashboardCard>
      )}
      {approved && (
        <ApproveDialog
          corpId={approved.corp_id}
          name={approved.name}
          admin={approved.admin_name || approved.admin_email}
          onClose={isDeleted => (isDeleted ? changed() : close())}
          onApproved={changed}
        />
      )}
    </>
  )
}
