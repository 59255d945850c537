import { reachUrls } from '~/lib/links'
import { HistoryCard } from '~/records/history/HistoryCard'
import { RecordPage } from '~/records/RecordPage'
import { useRecordPage } from '~/records/useRecordPage'
import { CustomerDetails } from './CustomerDetails'
import { CustomerForm } from './CustomerForm'
import { kind } from './kind'

/** The page of a customer. */
export function CustomerPage() {
  return (
    <RecordPage
      page={useRecordPage(kind)}
      form={form => <CustomerForm {...form} />}
      subtitleOf={customer => customer.customerNumber}
      reachOf={({ telephone, email }) => reachUrls(telephone, email)}
    >
      {customer => (
        <div className="settles grid gap-4 *:min-w-0">
          <CustomerDetails customer={customer} />
          <HistoryCard kind={kind} record={customer} />
        </div>
      )}
    </RecordPage>
  )
}
