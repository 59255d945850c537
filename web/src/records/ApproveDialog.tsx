import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { core } from '~/core'
import { isGone } from '~/core/problem'
import { useAttempt } from '~/lib/attempt'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'

type Props = {
  corpId: string
  name: string
  /** The name or e-mail address of the corporation's first Admin. */
  admin: string
  /** Called when the dialog is closed without approving. `isDeleted`: another user has deleted the corporation. */
  onClose: (isDeleted: boolean) => void
  onApproved: () => void
}

/** The dialog that activates a corporation that has signed up. */
export function ApproveDialog({ corpId, name, admin, onClose, onApproved }: Props) {
  const [isDeleted, setIsDeleted] = useState(false)
  const approving = useAttempt(t`Failed to approve the corporation`, async () => {
    try {
      await approve(corpId)
    } catch (thrown) {
      setIsDeleted(isGone(thrown))
      throw thrown
    }
    toast.success(t`${name} is active.`)
    onApproved()
  })
  return (
    <ActionDialog
      {...approving}
      isDanger={false}
      title={t`Approve ${name}?`}
      confirmLabel={t`Approve`}
      attempt={isDeleted ? undefined : approving.attempt}
      error={isDeleted ? t`Someone else has declined or deleted this sign-up.` : approving.error}
      onClose={() => onClose(isDeleted)}
    >
      {!isDeleted && t`${admin} will be able to sign in, and to add users.`}
    </ActionDialog>
  )
}

async function approve(corp_id: string) {
  const { corporation, organization } = await core.getFullDetails(corp_id)
  const { legalId: _, ...company } = organization
  await core.updateCorporation({ corp_id, ...company, corp_active: true, version: corporation.version })
}
