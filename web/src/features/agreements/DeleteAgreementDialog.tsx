import { t } from '@lingui/core/macro'
import { type Agreement, core } from '~/core'
import { textOf } from '~/language'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'

/** Asks for confirmation and deletes an agreement. */
export function DeleteAgreementDialog(dialog: DeletionDialog<Agreement>) {
  const { number, customer_name, vehicles, agreement_id } = dialog.record
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete agreement`}
      confirmLabel={t`Delete agreement`}
      name={[number, customer_name].filter(Boolean).join(' ')}
      detail={vehicles}
      texts={{
        deleted: textOf(core.recordTexts('agreements').deleted),
        deleteFailed: t`Failed to delete agreement.`,
        deleteQuestion: t`Are you sure you want to delete this agreement?`,
      }}
      remove={() => core.deleteRecord('agreements', agreement_id)}
      trash={{ resource: 'agreements', ids: [agreement_id] }}
    />
  )
}
