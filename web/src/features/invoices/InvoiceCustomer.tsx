import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Invoice } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'
import { shownText } from '~/lib/words'
import { CardFailed, TextLoading } from '~/records/CardState'
import { useCustomer } from '~/records/CustomerLink'
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
        <InvoiceCustomerFacts key={id} id={id} />
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

function InvoiceCustomerFacts({ id }: { id: string }) {
  const { outcome, retry } = useCustomer(id)
  if (outcome?.ok === false) {
    return <CardFailed error={outcome.error} failed={t`Failed to load customer details`} onRetry={retry} />
  }
  const customer = outcome?.value
  if (outcome && !customer) return <p className="text-muted">{t`This customer has been deleted.`}</p>
  // While it loads, the card is as high as later, so that the page doesn't move.
  const shown = (value: ReactNode) => (customer ? value : <TextLoading width="w-40" />)
  const { name = '', customerNumber = '', email = '', telephone = '' } = customer ?? {}
  return (
    <div role={customer ? undefined : 'status'}>
      {!customer && <span className="sr-only">{t`Loading`}</span>}
      <Facts
        facts={[
          [
            t`Name`,
            shown(
              <Link
                to={paths.customer(id)}
                className="text-target rounded font-medium text-accent-text hover:underline"
              >
                {shownText(name)}
              </Link>,
            ),
          ],
          [t`Customer Number`, shown(customerNumber)],
          [t`Email`, shown(reachLink(mailUrl(email), email))],
          [t`Telephone`, shown(reachLink(telUrl(telephone), telephone))],
        ]}
      />
    </div>
  )
}
