import { core, type Role } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { DangerDialog } from '~/ui/DangerDialog'
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
      title="Delete Role"
      lose="Delete role"
      busy={busy}
      error={error}
      onLose={attempt}
      onClose={onClose}
    >
      This deletes the role{' '}
      <strong className="font-medium text-ink [overflow-wrap:anywhere]">{role.name}</strong> with its
      permissions. This action cannot be undone.
    </DangerDialog>
  )
}
