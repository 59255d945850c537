import { plural, t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { core, type Invoice } from '~/core'
import { calendarDay, count, price } from '~/lib/format'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'
import { useRequest } from '~/lib/request'
import { CardFailed, CardLoading } from '~/records/CardState'
import { RecordLink } from '~/records/RecordLink'
import { Card } from '~/ui/Card'

/** Maximum number of invoices that the card shows. A link leads to the list with all of them. */
const SHOWN = 5

/** The card with the newest invoices that are linked to a customer, and the number of all linked invoices. */
export function CustomerInvoices({ id }: { id: string }) {
  const filter = filterBy('customer_id', id)
  const request = useMemo(
    () => (signal: AbortSignal) => core.listInvoices({ page: 1, limit: SHOWN, filter }, signal),
    [filter],
  )
  const { outcome, retry } = useRequest(request)
  const list = listAddress(paths.invoices, { filter })
  const loaded = outcome?.ok ? outcome.value : undefined
  const total = loaded?.totalItems ?? 0
  return (
    <Card
      title={t`Invoices`}
      subtitle={total > 0 && plural(total, { one: '# invoice', other: '# invoices' })}
    >
      {!outcome && <CardLoading lines={3} />}
      {outcome?.ok === false && (
        <CardFailed error={outcome.error} failed={t`Failed to load invoices.`} onRetry={retry} />
      )}
      {loaded && total === 0 && (
        <p className="text-muted">
          {t`No invoice is linked to this customer. Choose the customer in an invoice to link it.`}
        </p>
      )}
      {loaded && total > 0 && (
        <ul className="-my-2 divide-y divide-line">
          {loaded.data.map(invoice => (
            <li key={invoice._id} className="relative flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5">
              <InvoiceLink invoice={invoice} list={list} />
            </li>
          ))}
        </ul>
      )}
      {loaded && total > loaded.data.length && (
        <Link
          to={list}
          className="mt-4 inline-block rounded font-medium text-accent-text hover:underline print:hidden"
        >
          {t`Show all ${count(total)} invoices`}
        </Link>
      )}
    </Card>
  )
}

function InvoiceLink({ invoice, list }: { invoice: Invoice; list: string }) {
  const { _id, customer, customerRequirements, startDate, endDate, projectPrice } = invoice
  return (
    <>
      <RecordLink
        to={paths.invoice(_id)}
        list={list}
        className="min-w-0 flex-1 basis-48 truncate rounded font-medium after:absolute after:inset-0 hover:underline"
      >
        {customerRequirements?.split('\n')[0] || customer}
      </RecordLink>
      <span className="text-muted tabular-nums">{`${calendarDay(startDate)} – ${calendarDay(endDate)}`}</span>
      <span className="ml-auto font-medium tabular-nums sm:min-w-28 sm:text-right">
        {price(projectPrice)}
      </span>
    </>
  )
}
