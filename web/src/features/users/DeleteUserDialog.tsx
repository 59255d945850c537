import { t } from '@lingui/core/macro'
import { core, type User } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { DangerDialog } from '~/ui/DangerDialog'
import { toast } from '~/ui/Toasts'
import { userName } from './userName'

type Props = { user: User; onClose: () => void; onDeleted: () => void }

/** Asks before a user is deleted. */
export function DeleteUserDialog({ user, onClose, onDeleted }: Props) {
  const texts = core.texts().users
  const { busy, error, attempt } = useAttempt(texts.deleteFailed, async () => {
    await core.deleteUser(user.user_id)
    toast.success(texts.deleted)
    onDeleted()
  })
  return (
    <DangerDialog
      title={t`Delete User`}
      confirmLabel={t`Delete user`}
      busy={busy}
      error={error}
      onConfirm={attempt}
      onClose={onClose}
    >
      {texts.deleteQuestion}
      <span className="mt-3 block [overflow-wrap:anywhere]">
        <strong className="block font-medium text-ink">{userName(user)}</strong>
        {user.email}
      </span>
    </DangerDialog>
  )
}
