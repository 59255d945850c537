import { t } from '@lingui/core/macro'
import { core, type ImportSession } from '~/core'
import { textOf } from '~/language'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'

/** The dialog that asks for confirmation and deletes an import. */
export function DeleteImportDialog(dialog: DeletionDialog<ImportSession>) {
  const { sessionId, fileName } = dialog.record
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete import`}
      confirmLabel={t`Delete import`}
      question={consequenceOf(dialog.record)}
      name={fileName}
      texts={{ deleted: textOf(core.texts().import.deleted), deleteFailed: t`Failed to delete the import` }}
      id={sessionId}
      remove={() => core.deleteImport(sessionId)}
    />
  )
}

function consequenceOf({ hasContacts, failedRecords }: ImportSession): string | undefined {
  if (failedRecords === 0) return hasContacts ? t`The imported contacts are kept.` : undefined
  return hasContacts
    ? t`The imported contacts are kept, but the rows with problems can no longer be downloaded.`
    : t`The rows with problems can no longer be downloaded.`
}
