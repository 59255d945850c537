import { t } from '@lingui/core/macro'
import { useLoaderData, useParams } from 'react-router'
import { price } from '~/lib/format'
import { paths } from '~/lib/paths'
import { HistoryCard } from '~/records/history/HistoryCard'
import { RecordPage } from '~/records/RecordPage'
import { SystemInformation } from '~/records/SystemInformation'
import { useRecordPage } from '~/records/useRecordPage'
import { Card } from '~/ui/Card'
import { DeleteInvoiceDialog } from './DeleteInvoiceDialog'
import { InvoiceCustomer } from './InvoiceCustomer'
import { InvoiceFacts } from './InvoiceFacts'
import { InvoiceForm } from './InvoiceForm'
import { type invoiceLoader, invoiceSource } from './loader'

/** The page of an invoice. The key resets its state when another invoice is opened. */
export function InvoicePage() {
  const { id = '' } = useParams()
  return <InvoiceContent key={id} id={id} />
}

function InvoiceContent({ id }: { id: string }) {
  const { promise } = useLoaderData<typeof invoiceLoader>()
  const page = useRecordPage({ route: paths.invoices, id, promise, source: invoiceSource })
  const { form, deletion } = page
  return (
    <RecordPage
      page={page}
      noun={t`Invoice`}
      listName={t`Invoices`}
      loadFailed={t`Failed to load this invoice.`}
      forbidden={t`You don't have access to this invoice`}
      nameOf={invoice => invoice.customer}
      subtitleOf={invoice => price(invoice.projectPrice)}
      dialogs={
        <>
          {form && <InvoiceForm {...form} />}
          {deletion && <DeleteInvoiceDialog {...deletion} />}
        </>
      }
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
            <HistoryCard resource="invoices" id={id} record={invoice} />
          </div>
        </div>
      )}
    </RecordPage>
  )
}
