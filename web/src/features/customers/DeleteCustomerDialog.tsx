import { t } from '@lingui/core/macro'
import { type CustomerSummary, core } from '~/core'
import { textOf } from '~/language'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'

/** The dialog that asks for confirmation and deletes a customer. */
export function DeleteCustomerDialog(dialog: DeletionDialog<CustomerSummary>) {
  const { name, email } = dialog.record
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete customer`}
      confirmLabel={t`Delete customer`}
      name={name}
      detail={email}
      texts={{
        deleted: textOf(core.recordTexts('customers').deleted),
        deleteFailed: t`Failed to delete customer`,
        deleteQuestion: t`Are you sure you want to delete this customer?`,
      }}
      remove={({ customer_id }) => core.deleteRecord('customers', customer_id)}
      trash={{ resource: 'customers', ids: [dialog.record.customer_id] }}
    />
  )
}
