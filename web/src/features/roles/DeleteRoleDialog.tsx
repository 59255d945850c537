import { t } from '@lingui/core/macro'
import { core, type Role } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { DangerDialog } from '~/ui/DangerDialog'
import { Sentence } from '~/ui/Sentence'
import { toast } from '~/ui/Toasts'

type Props = { role: Role; onClose: () => void; onDeleted: () => void }

/** Asks before a role is deleted. One that somebody holds stays, and the refusal says so. */
export function DeleteRoleDialog({ role, onClose, onDeleted }: Props) {
  const texts = core.texts().roles
  const { busy, error, attempt } = useAttempt(texts.deleteFailed, async () => {
    await core.deleteRole(role.role_id)
    toast.success(texts.deleted)
    onDeleted()
  })
  return (
    <DangerDialog
      title={t`Delete Role`}
      confirmLabel={t`Delete role`}
      busy={busy}
      error={error}
      onConfirm={attempt}
      onClose={onClose}
    >
      <Sentence
        text={place => t`This deletes the role ${place} with its permissions. This action cannot be undone.`}
      >
        <strong className="font-medium text-ink [overflow-wrap:anywhere]">{role.name}</strong>
      </Sentence>
    </DangerDialog>
  )
}
