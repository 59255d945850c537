import { t } from '@lingui/core/macro'
import type { CustomerSummary } from '~/core'
import { paths } from '~/lib/paths'
import { DuplicatesPage } from '~/records/merge/DuplicatesPage'

/** The page of customers that may be duplicates of each other. */
export function CustomerDuplicatesPage() {
  return (
    <DuplicatesPage<CustomerSummary>
      list="customers"
      listRoute={paths.customers}
      route={paths.duplicateCustomers}
      words={{
        title: t`Duplicate customers`,
        back: t`Customers`,
        loadFailed: t`Failed to load the duplicates`,
        forbidden: t`You don't have access to customers`,
      }}
      idOf={customer => customer.customer_id}
      pathOf={paths.customer}
      detailsOf={({ email, telephone, address, postalCode, location }) => [
        email,
        telephone,
        address,
        postalCode,
        location,
      ]}
    />
  )
}
