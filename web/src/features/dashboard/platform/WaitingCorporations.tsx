import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import { type CorporationFigures, core, type PlatformFigures } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { count, day, exactMoment } from '~/lib/format'
import { paths } from '~/lib/paths'
import { ActionDialog } from '~/ui/ActionDialog'
import { Badge } from '~/ui/Badge'
import { Button, buttonClass } from '~/ui/Button'
import { toast } from '~/ui/Toasts'
import { DashboardCard } from '../DashboardCard'

type Props = { figures: PlatformFigures; onApproved: () => void }

/** The corporations that have signed up and wait for approval. */
export function WaitingCorporations({ figures: { waiting, waiting_count }, onApproved }: Props) {
  const [approved, setApproved] = useState<CorporationFigures>()
  return (
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
              <time
                dateTime={created_at}
                title={exactMoment(created_at)}
                className="text-xs text-muted tabular-nums"
              >
                {day(created_at)}
              </time>
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
      {approved && (
        <ApproveDialog
          corporation={approved}
          onClose={() => setApproved(undefined)}
          onApproved={onApproved}
        />
      )}
    </DashboardCard>
  )
}

type DialogProps = { corporation: CorporationFigures; onClose: () => void; onApproved: () => void }

function ApproveDialog({ corporation, onClose, onApproved }: DialogProps) {
  const { corp_id, name, admin_name, admin_email } = corporation
  const approving = useAttempt(t`Failed to approve the corporation`, async () => {
    const { corporation, organization } = await core.getFullDetails(corp_id)
    const { legalId: _, ...company } = organization
    await core.updateCorporation({ corp_id, ...company, corp_active: true, version: corporation.version })
    toast.success(t`${name} is active.`)
    onClose()
    onApproved()
  })
  const admin = admin_name || admin_email
  return (
    <ActionDialog
      {...approving}
      isDanger={false}
      title={t`Approve ${name}?`}
      confirmLabel={t`Approve`}
      onClose={onClose}
    >
      {t`${admin} will be able to sign in, and to add users.`}
    </ActionDialog>
  )
}
