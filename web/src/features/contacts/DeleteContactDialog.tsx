import { t } from '@lingui/core/macro'
import { type ContactSummary, core } from '~/core'
import { textOf } from '~/language'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'

/** The dialog that asks for confirmation and deletes a contact. */
export function DeleteContactDialog(dialog: DeletionDialog<ContactSummary>) {
  const { name, email } = dialog.record
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete contact`}
      confirmLabel={t`Delete contact`}
      name={name}
      detail={email}
      texts={{
        deleted: textOf(core.recordTexts('contacts').deleted),
        deleteFailed: t`Failed to delete contact`,
        deleteQuestion: t`Are you sure you want to delete this contact?`,
      }}
      remove={({ _id }) => core.deleteRecord('contacts', _id)}
      trash={{ resource: 'contacts', ids: [dialog.record._id] }}
    />
  )
}
