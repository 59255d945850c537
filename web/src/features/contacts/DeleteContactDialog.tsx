import { t } from '@lingui/core/macro'
import { type ContactSummary, core } from '~/core'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'

/** Asks for confirmation and deletes a contact. */
export function DeleteContactDialog(dialog: DeletionDialog<ContactSummary>) {
  const { name, email } = dialog.record
  const texts = core.texts().contacts
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete Contact`}
      confirmLabel={t`Delete contact`}
      name={name}
      detail={email}
      texts={texts}
      remove={({ _id }) => core.deleteContact(_id)}
    />
  )
}
