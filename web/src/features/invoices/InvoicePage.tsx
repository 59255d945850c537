import { t } from '@lingui/core/macro'
import { price } from '~/lib/format'
import { RecordColumns } from '~/records/RecordColumns'
import { RecordPage } from '~/records/RecordPage'
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
        <RecordColumns
          kind={kind}
          record={invoice}
          facts={[[t`Invoice ID`, invoice._id]]}
          beside={<InvoiceCustomer invoice={invoice} mayEdit={page.may.can_update ?? false} />}
        >
          <Card title={t`Invoice`}>
            <InvoiceFacts invoice={invoice} />
          </Card>
        </RecordColumns>
      )}
    </RecordPage>
  )
}
