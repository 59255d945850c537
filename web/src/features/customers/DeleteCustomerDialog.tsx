import { t } from '@lingui/core/macro'
import { type CustomerSummary, core } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { DangerDialog } from '~/ui/DangerDialog'
import { toast } from '~/ui/Toasts'

type Props = { customer: CustomerSummary; onClose: () => void; onDeleted: () => void }

/** Asks before a customer is deleted. */
export function DeleteCustomerDialog({ customer, onClose, onDeleted }: Props) {
  const texts = core.texts().customers
  const { busy, error, attempt } = useAttempt(texts.deleteFailed, async () => {
    await core.deleteCustomer(customer.customer_id)
    toast.success(texts.deleted)
    onDeleted()
  })
  return (
    <DangerDialog
      title={t`Delete Customer`}
      confirmLabel={t`Delete customer`}
      busy={busy}
      error={error}
      onConfirm={attempt}
      onClose={onClose}
    >
      {texts.deleteQuestion}
      <span className="mt-3 block [overflow-wrap:anywhere]">
        <strong className="block font-medium text-ink">{customer.name}</strong>
        {customer.email}
      </span>
    </DangerDialog>
  )
}
