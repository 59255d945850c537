import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type CorporationUser, core } from '~/core'
import { problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { useAttempt } from '~/lib/attempt'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'
import { userName } from './userName'

type Props = { user: CorporationUser; onClose: () => void; onDone: () => void }

/** The dialog that asks for confirmation and deactivates an active user, or activates an inactive one. */
export function ActivityDialog({ user, onClose, onDone }: Props) {
  // The user as in the latest response. After a conflict, that is the version that another administrator has saved.
  const [latest, setLatest] = useState(user)
  const texts = core.texts().users
  const { is_active } = user
  const { email, version } = latest
  const failed = is_active ? t`Failed to deactivate user` : t`Failed to update user`
  const change = useAttempt(failed, async () => {
    try {
      const message = await core.updateCorporationUser(user.id, { is_active: !is_active, version })
      toast.success(is_active ? textOf(texts.deactivated) : textOf(message))
      onDone()
    } catch (thrown) {
      setLatest((problemOf(thrown)?.present as CorporationUser | undefined) ?? latest)
      throw thrown
    }
  })
  return (
    <ActionDialog
      {...change}
      isDanger={is_active}
      title={is_active ? t`Deactivate ${userName(latest)}?` : t`Activate ${userName(latest)}?`}
      confirmLabel={is_active ? t`Deactivate user` : t`Activate user`}
      onClose={() => (latest === user ? onClose : onDone)()}
    >
      {is_active ? (
        <>
          {t`Are you sure you want to deactivate this user?`}{' '}
          {t`${email} will be signed out everywhere and can't sign in until reactivated.`}
        </>
      ) : latest.ban ? (
        t`The user stays banned: ${email} can't sign in until the ban is lifted, too.`
      ) : (
        t`${email} will be able to sign in again.`
      )}
    </ActionDialog>
  )
}
