import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type CorporationUser, core } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { problemOf } from '~/lib/problem'
import { Button } from '~/ui/Button'
import { DangerDialog } from '~/ui/DangerDialog'
import { Dialog } from '~/ui/Dialog'
import { Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { userName } from './userName'

type Props = { user: CorporationUser; onClose: () => void; onDone: () => void }

/** Asks for confirmation and deactivates an active user, or activates an inactive one. */
export function ActivityDialog({ user, onClose, onDone }: Props) {
  // The user as of the latest response, because another administrator may have changed them.
  const [latest, setLatest] = useState(user)
  const texts = core.texts().users
  const { is_active } = user
  const { email, version } = latest
  const failed = is_active ? texts.deactivateFailed : texts.updateFailed
  const { busy, error, attempt } = useAttempt(failed, async () => {
    try {
      const { message } = await core.updateCorporationUser(user.id, { is_active: !is_active, version })
      toast.success(is_active ? texts.deactivated : message)
      onDone()
    } catch (thrown) {
      setLatest((problemOf(thrown)?.present as CorporationUser | undefined) ?? latest)
      throw thrown
    }
  })
  const close = () => {
    if (!busy) (latest === user ? onClose : onDone)()
  }
  if (is_active) {
    return (
      <DangerDialog
        title={t`Deactivate ${userName(latest)}?`}
        confirmLabel={t`Deactivate user`}
        busy={busy}
        error={error}
        onConfirm={attempt}
        onClose={close}
      >
        {texts.deactivateQuestion}{' '}
        {t`${email} will be signed out everywhere and can't sign in until reactivated.`}
      </DangerDialog>
    )
  }
  return (
    <Dialog
      open
      size="small"
      title={t`Activate ${userName(latest)}?`}
      description={t`${email} will be able to sign in again.`}
      onClose={close}
    >
      {error && (
        <Notice kind="error" className="mt-4">
          {error}
        </Notice>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={close}>{t`Cancel`}</Button>
        <Button kind="primary" busy={busy} onClick={attempt}>
          {t`Activate user`}
        </Button>
      </div>
    </Dialog>
  )
}
