import { t } from '@lingui/core/macro'
import { type ContactSummary, core } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { DangerDialog } from '~/ui/DangerDialog'
import { toast } from '~/ui/Toasts'

type Props = { contact: ContactSummary; onClose: () => void; onDeleted: () => void }

/** Asks before a contact is deleted. */
export function DeleteContactDialog({ contact, onClose, onDeleted }: Props) {
  const texts = core.texts().contacts
  const { busy, error, attempt } = useAttempt(texts.deleteFailed, async () => {
    await core.deleteContact(contact._id)
    toast.success(texts.deleted)
    onDeleted()
  })
  return (
    <DangerDialog
      title={t`Delete Contact`}
      confirmLabel={t`Delete contact`}
      busy={busy}
      error={error}
      onConfirm={attempt}
      onClose={onClose}
    >
      {texts.deleteQuestion}
      <span className="mt-3 block [overflow-wrap:anywhere]">
        <strong className="block font-medium text-ink">{contact.name}</strong>
        {contact.email}
      </span>
    </DangerDialog>
  )
}
