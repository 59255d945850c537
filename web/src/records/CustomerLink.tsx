import { t } from '@lingui/core/macro'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { type CustomerSummary, core } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy } from '~/lib/query'
import { useRequest } from '~/lib/request'
import { Sentence } from '~/ui/Sentence'

/** Requests the customer with this id, if there is one. The outcome's value is undefined if it was deleted. */
export function useCustomer(id: string | undefined) {
  const request = useMemo(() => {
    if (!id) return undefined
    // As a list of one customer, because such a response doesn't contain the social security number.
    const query = { page: 1, limit: 1, filter: filterBy('customer_id', id) }
    return async (signal: AbortSignal) => (await core.listRecords('customers', query, signal)).data[0]
  }, [id])
  return useRequest(request)
}

type Props = {
  /** The id of the linked customer. */
  id: string
  /** The customer that the user chose last. */
  chosen: CustomerSummary | undefined
}

/** The help of a form field: which customer is linked, with a link to that customer's page in a new tab. */
export function CustomerLink({ id, chosen }: Props) {
  const isChosen = chosen?.customer_id === id
  const { outcome } = useCustomer(isChosen ? undefined : id)
  const found = isChosen ? chosen : outcome?.ok ? outcome.value : undefined
  // For a moment, the outcome is that of the customer before.
  if (found?.customer_id === id) {
    return (
      <Sentence text={number => t`Linked to customer ${number}.`}>
        <NewTabLink to={paths.customer(id)}>{found.customerNumber}</NewTabLink>
      </Sentence>
    )
  }
  return outcome?.ok && !outcome.value ? t`This customer has been deleted.` : t`Linked to a customer.`
}

/** A link to a record in a sentence. In a new tab, because a form is open that could lose its input. */
export const NewTabLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a
    href={to}
    target="_blank"
    rel="noreferrer"
    // On a touch screen its line is higher. The larger target of other links would cover the field above.
    className="rounded font-medium text-accent-text hover:underline touch:inline-flex touch:min-h-touch touch:items-center"
  >
    {children}
    <ExternalLink aria-hidden className="mb-0.5 ml-1 inline size-3" />
    <span className="sr-only">{t` (opens in a new tab)`}</span>
  </a>
)
