import { t } from '@lingui/core/macro'
import { core, type Invoice } from '~/core'
import { textOf } from '~/language'
import { price } from '~/lib/format'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'
import { withReason } from './format'

/** The dialog that asks for confirmation and deletes an invoice. */
export function DeleteInvoiceDialog(dialog: DeletionDialog<Invoice>) {
  const { customer, projectPrice } = dialog.record
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete invoice`}
      confirmLabel={t`Delete invoice`}
      name={customer}
      detail={<span className="tabular-nums">{price(projectPrice)}</span>}
      texts={{
        deleted: textOf(core.recordTexts('invoices').deleted),
        deleteFailed: t`Failed to delete invoice.`,
        deleteQuestion: t`Are you sure you want to delete this invoice?`,
      }}
      describeError={message => withReason(t`Failed to delete invoice.`, message)}
      remove={({ _id }) => core.deleteRecord('invoices', _id)}
      trash={{ resource: 'invoices', ids: [dialog.record._id] }}
    />
  )
}
