import { t } from '@lingui/core/macro'
import { price } from '~/lib/format'
import { HistoryCard } from '~/records/history/HistoryCard'
import { RecordPage } from '~/records/RecordPage'
import { SystemInformation } from '~/records/SystemInformation'
import { useRecordPage } from '~/records/useRecordPage'
import { Card } from '~/ui/Card'
import { InvoiceCustomer } from './InvoiceCustomer'
import { InvoiceFacts } from './InvoiceFacts'
import { InvoiceForm } from './InvoiceForm'
import { kind } from './kind'

/** The page of an invoice. */
export function InvoicePage() {
  const page = useRecordPage(kind)
  return (
    <RecordPage
      page={page}
      form={form => <InvoiceForm {...form} />}
      subtitleOf={invoice => price(invoice.projectPrice)}
    >
      {invoice => (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Card title={t`Invoice`}>
            <InvoiceFacts invoice={invoice} />
          </Card>
          <div className="grid gap-4">
            <InvoiceCustomer invoice={invoice} mayEdit={page.may.can_update ?? false} />
            <SystemInformation record={invoice} facts={[[t`Invoice ID`, invoice._id]]} />
          </div>
          <div className="lg:col-span-2">
            <HistoryCard kind={kind} record={invoice} />
          </div>
        </div>
      )}
    </RecordPage>
  )
}
