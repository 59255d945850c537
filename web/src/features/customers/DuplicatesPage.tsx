import { t } from '@lingui/core/macro'
import { paths } from '~/lib/paths'
import { DuplicatesPage } from '~/records/merge/DuplicatesPage'
import { kind } from './kind'

/** The page of customers that may be duplicates of each other. */
export function CustomerDuplicatesPage() {
  return (
    <DuplicatesPage
      kind={kind}
      route={paths.duplicateCustomers}
      title={t`Duplicate customers`}
      detailsOf={({ customerNumber, email, telephone, address, postalCode, location }) => [
        customerNumber,
        email,
        telephone,
        address,
        postalCode,
        location,
      ]}
    />
  )
}
