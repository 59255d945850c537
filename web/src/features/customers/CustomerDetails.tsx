import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { type Customer, core } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'
import { agreementNames, customerTypeNames, shownText } from '~/lib/words'
import { reachLink } from '~/records/ReachLinks'
import { SystemInformation } from '~/records/SystemInformation'
import { Card, Facts } from '~/ui/Card'
import { CustomerAgreements } from './CustomerAgreements'
import { CustomerInvoices } from './CustomerInvoices'
import { figureFacts } from './figureFacts'
import { StatusBadge } from './StatusBadge'

/** The values of a customer, in cards. For users who may read them, also the customer's agreements and newest invoices. */
export function CustomerDetails({ customer }: { customer: Customer }) {
  const { email, telephone, status, agreementType } = customer
  const mayReadAgreements = useCanRead('agreements', paths.agreements)
  const mayReadInvoices = useCanRead('invoices', paths.invoices)
  const number: [string, ReactNode] = core.isCompany(customer.type)
    ? [t`Organization Number`, shownText(customer.organizationNumber)]
    : [t`Social Security Number`, customer.socialSecurityNumber]
  return (
    <div className="settles grid items-start gap-4 *:min-w-0 lg:grid-cols-2">
      <Card title={t`Contact details`}>
        <Facts
          facts={[
            [t`Email`, reachLink(mailUrl(email), email)],
            [t`Telephone`, reachLink(telUrl(telephone), telephone)],
            [t`Address`, shownText(customer.address)],
            [t`Postal Code`, customer.postalCode],
            [t`Location`, customer.location],
          ]}
        />
      </Card>
      <Card title={t`Details`}>
        <Facts
          facts={[
            [t`Customer Type`, customerTypeNames[customer.type]],
            number,
            [t`Agreement`, agreementType && agreementNames[agreementType]],
            ...figureFacts(customer),
            [t`Status`, <StatusBadge key="status" status={status} />],
          ]}
        />
      </Card>
      {mayReadAgreements && (
        <div className="lg:col-span-2">
          <CustomerAgreements customer={customer} />
        </div>
      )}
      {mayReadInvoices && (
        <div className="lg:col-span-2">
          <CustomerInvoices customer={customer} />
        </div>
      )}
      <SystemInformation
        record={customer}
        facts={[
          [t`Customer Number`, customer.customerNumber],
          [t`Customer ID`, customer.customer_id],
        ]}
      />
    </div>
  )
}
