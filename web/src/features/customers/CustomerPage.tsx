import { t } from '@lingui/core/macro'
import { useLoaderData, useParams } from 'react-router'
import { reachUrls } from '~/lib/links'
import { paths } from '~/lib/paths'
import { HistoryCard } from '~/records/history/HistoryCard'
import { RecordPage } from '~/records/RecordPage'
import { useRecordPage } from '~/records/useRecordPage'
import { CustomerDetails } from './CustomerDetails'
import { CustomerForm } from './CustomerForm'
import { DeleteCustomerDialog } from './DeleteCustomerDialog'
import { type customerLoader, customerSource } from './loader'

/** The page of a customer. The key resets its state when another customer is opened. */
export function CustomerPage() {
  const { id = '' } = useParams()
  return <CustomerContent key={id} id={id} />
}

function CustomerContent({ id }: { id: string }) {
  const { promise } = useLoaderData<typeof customerLoader>()
  const page = useRecordPage({ route: paths.customers, id, promise, source: customerSource })
  const { form, deletion } = page
  return (
    <RecordPage
      page={page}
      noun={t`Customer`}
      listName={t`Customers`}
      loadFailed={t`Failed to load customer details`}
      forbidden={t`You don't have access to this customer`}
      nameOf={customer => customer.name}
      subtitleOf={customer => customer.customerNumber}
      reachOf={({ telephone, email }) => reachUrls(telephone, email)}
      dialogs={
        <>
          {form && <CustomerForm {...form} />}
          {deletion && <DeleteCustomerDialog {...deletion} />}
        </>
      }
    >
      {customer => (
        <div className="grid gap-4">
          <CustomerDetails customer={customer} />
          <HistoryCard resource="customers" id={id} record={customer} />
        </div>
      )}
    </RecordPage>
  )
}
