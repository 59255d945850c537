import { t } from '@lingui/core/macro'
import type { Customer } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'
import { AgreementsCard } from '~/records/agreements/AgreementsCard'
import { withWholePlates } from '~/records/vehicles/plates'

/** The newest agreements with a customer. */
export function CustomerAgreements({ customer }: { customer: Customer }) {
  const filter = filterBy('customer_id', customer.customer_id)
  return (
    <AgreementsCard
      query={{ filter }}
      list={listAddress(paths.agreements, { filter })}
      version={customer.version}
      noteOf={({ vehicles }) => withWholePlates(vehicles)}
      empty={t`No agreements with this customer yet.`}
    />
  )
}
