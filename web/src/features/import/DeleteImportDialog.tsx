import { t } from '@lingui/core/macro'
import { core, type ImportSession } from '~/core'
import { textOf } from '~/language'
import { useAttempt } from '~/lib/attempt'
import type { DeletionDialog } from '~/records/useDialogs'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'

export function DeleteImportDialog({ record: session, onClose, onDeleted }: DeletionDialog<ImportSession>) {
  const deletion = useAttempt(t`Failed to delete the import`, async () => {
    const message = await core.deleteImport(session.sessionId)
    toast.success(textOf(message))
    onDeleted(undefined)
  })
  return (
    <ActionDialog {...deletion} title={t`Delete import`} confirmLabel={t`Delete import`} onClose={onClose}>
      {consequenceOf(session)}
      <strong className="mt-3 block font-medium text-ink [overflow-wrap:anywhere]">{session.fileName}</strong>
    </ActionDialog>
  )
}

function consequenceOf({ hasContacts, failedRecords }: ImportSession): string | undefined {
  if (failedRecords === 0) return hasContacts ? t`The imported contacts are kept.` : undefined
  return hasContacts
    ? t`The imported contacts are kept, but the rows with problems can no longer be downloaded.`
    : t`The rows with problems can no longer be downloaded.`
}
