import { t } from '@lingui/core/macro'
import { core, type ImportSession } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'

type Props = { session: ImportSession; onClose: () => void; onDeleted: () => void }

export function DeleteImportDialog({ session, onClose, onDeleted }: Props) {
  const deletion = useAttempt(core.texts().import.deleteFailed, async () => {
    const { message } = await core.deleteImport(session.sessionId)
    toast.success(message)
    onClose()
    onDeleted()
  })
  return (
    <ActionDialog {...deletion} title={t`Delete Import`} confirmLabel={t`Delete import`} onClose={onClose}>
      {session.failedRecords > 0
        ? t`The imported contacts are kept, but the failed rows can no longer be downloaded.`
        : t`The imported contacts are kept.`}
      <strong className="mt-3 block font-medium text-ink [overflow-wrap:anywhere]">{session.fileName}</strong>
    </ActionDialog>
  )
}
