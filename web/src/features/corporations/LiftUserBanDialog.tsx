import { t } from '@lingui/core/macro'
import { type Ban, type CorporationUser, core } from '~/core'
import { textOf } from '~/language'
import { useAttempt } from '~/lib/attempt'
import { BanDetails } from '~/records/BanDetails'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'
import { userName } from './userName'

type Props = { user: CorporationUser; ban: Ban; onClose: () => void; onLifted: () => void }

/** The dialog that shows the reason of a user's ban, asks for confirmation, and lifts the ban. */
export function LiftUserBanDialog({ user, ban, onClose, onLifted }: Props) {
  const { email } = user
  const lifting = useAttempt(t`Failed to lift the ban`, async () => {
    const message = await core.liftBan(user.id)
    toast.success(textOf(message))
    onLifted()
  })
  return (
    <ActionDialog
      {...lifting}
      isDanger={false}
      title={t`Lift the ban on ${userName(user)}?`}
      details={<BanDetails ban={ban} />}
      confirmLabel={t`Lift ban`}
      cancelLabel={t`Keep the ban`}
      onClose={onClose}
    >
      {user.is_active
        ? t`${email} will be able to sign in again.`
        : t`The user stays inactive: ${email} can't sign in until activated, too.`}
    </ActionDialog>
  )
}
