import { t } from '@lingui/core/macro'
import { core, type Invoice } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { DangerDialog } from '~/ui/DangerDialog'
import { toast } from '~/ui/Toasts'
import { failure, price } from './format'

type Props = { invoice: Invoice; onClose: () => void; onDeleted: () => void }

/** Asks before an invoice is deleted. */
export function DeleteInvoiceDialog({ invoice, onClose, onDeleted }: Props) {
  const texts = core.texts().invoices
  const { busy, error, attempt } = useAttempt(texts.deleteFailed, async () => {
    await core.deleteInvoice(invoice._id)
    toast.success(texts.deleted)
    onDeleted()
  })
  return (
    <DangerDialog
      title={t`Delete Invoice`}
      confirmLabel={t`Delete invoice`}
      busy={busy}
      error={error && failure(texts.deleteFailed, error)}
      onConfirm={attempt}
      onClose={onClose}
    >
      {texts.deleteQuestion}
      <span className="mt-3 block [overflow-wrap:anywhere]">
        <strong className="block font-medium text-ink">{invoice.customer}</strong>
        <span className="tabular-nums">{price(invoice.projectPrice)}</span>
      </span>
    </DangerDialog>
  )
}
