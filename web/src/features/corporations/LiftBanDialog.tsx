import { t } from '@lingui/core/macro'
import { type Ban, type CorporationUser, core } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { exactMoment, moment } from '~/lib/format'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'
import { userName } from './userName'

type Props = { user: CorporationUser; ban: Ban; onClose: () => void; onLifted: () => void }

/** Asks for confirmation and lifts a ban. Shows its reason. */
export function LiftBanDialog({ user, ban, onClose, onLifted }: Props) {
  const { busy, error, attempt } = useAttempt(core.texts().auth.banLiftFailed, async () => {
    const { message } = await core.liftBan(user.id)
    toast.success(message)
    onLifted()
  })
  const reason = (
    <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      <dt className="text-muted">{t`Reason`}</dt>
      <dd className="font-medium whitespace-pre-line [overflow-wrap:anywhere]">{ban.reason}</dd>
      <dt className="text-muted">{t`Banned on`}</dt>
      <dd className="font-medium">
        <time dateTime={ban.bannedAt} title={exactMoment(ban.bannedAt)}>
          {moment(ban.bannedAt)}
        </time>
      </dd>
    </dl>
  )
  return (
    <ActionDialog
      isDanger={false}
      title={t`Lift the ban on ${userName(user)}?`}
      details={reason}
      confirmLabel={t`Lift ban`}
      cancelLabel={t`Keep the ban`}
      busy={busy}
      error={error}
      onConfirm={attempt}
      onClose={onClose}
    >
      {t`${user.email} will be able to sign in again.`}
    </ActionDialog>
  )
}
