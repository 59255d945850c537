import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { Invoice } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'
import { CardFailed, CardLoading } from '~/records/CardState'
import { useCustomer } from '~/records/LinkedRecord'
import { reachLink } from '~/records/ReachLinks'
import { Card, Facts } from '~/ui/Card'

type Props = { invoice: Invoice; mayEdit: boolean }

/**
 * The card with the customer to whom an invoice is linked; without one, it says so. Shown only to users who may read
 * customers.
 */
export function InvoiceCustomer({ invoice, mayEdit }: Props) {
  const mayRead = useCanRead('customers', paths.customers)
  const id = invoice.customer_id
  if (!mayRead) return null
  return (
    <Card title={t`Customer`}>
      {id ? (
        <LinkedCustomer key={id} id={id} />
      ) : (
        <p className="text-muted">
          {mayEdit
            ? t`This invoice is not linked to a customer. Edit it to choose one.`
            : t`This invoice is not linked to a customer.`}
        </p>
      )}
    </Card>
  )
}

function LinkedCustomer({ id }: { id: string }) {
  const { outcome, retry } = useCustomer(id)
  if (!outcome) return <CardLoading lines={3} />
  if (!outcome.ok) {
    return <CardFailed error={outcome.error} failed={t`Failed to load customer details`} onRetry={retry} />
  }
  const customer = outcome.value
  if (!customer) return <p className="text-muted">{t`This customer has been deleted.`}</p>
  return (
    <Facts
      facts={[
        [
          t`Name`,
          <Link
            key="name"
            to={paths.customer(id)}
            className="text-target rounded font-medium text-accent-text hover:underline"
          >
            {customer.name}
          </Link>,
        ],
        [t`Customer Number`, customer.customerNumber],
        [t`Email`, reachLink(mailUrl(customer.email), customer.email)],
        [t`Telephone`, reachLink(telUrl(customer.telephone), customer.telephone)],
      ]}
    />
  )
}
