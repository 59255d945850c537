import { t } from '@lingui/core/macro'
import { core, type ImportSession } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { ActionDialog } from '~/ui/ActionDialog'

type Props = { session: ImportSession; onClose: () => void; onCancelled: () => void }

export function CancelImportDialog({ session, onClose, onCancelled }: Props) {
  const cancellation = useAttempt(t`Failed to cancel the import`, async () => {
    await core.cancelImport(session.sessionId)
    onClose()
    onCancelled()
  })
  return (
    <ActionDialog
      {...cancellation}
      title={t`Cancel import`}
      confirmLabel={t`Cancel import`}
      cancelLabel={t`Keep importing`}
      onClose={onClose}
    >
      {t`Contacts imported so far are kept. The remaining rows won't be imported.`}
      <strong className="mt-3 block font-medium text-ink [overflow-wrap:anywhere]">{session.fileName}</strong>
    </ActionDialog>
  )
}
