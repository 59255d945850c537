import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'

type Props = {
  corpId: string
  name: string
  /** The name or e-mail address of the corporation's first Admin. */
  admin: string
  onClose: () => void
  onApproved: () => void
}

/** The dialog that activates a corporation that has signed up. */
export function ApproveDialog({ corpId, name, admin, onClose, onApproved }: Props) {
  const approving = useAttempt(t`Failed to approve the corporation`, async () => {
    const { corporation, organization } = await core.getFullDetails(corpId)
    const { legalId: _, ...company } = organization
    const { version } = corporation
    await core.updateCorporation({ corp_id: corpId, ...company, corp_active: true, version })
    toast.success(t`${name} is active.`)
    onClose()
    onApproved()
  })
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
