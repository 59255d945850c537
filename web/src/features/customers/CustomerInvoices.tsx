import { plural, t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { type Customer, core, type Invoice } from '~/core'
import { useHasDraft } from '~/lib/drafts'
import { calendarDay, count, price } from '~/lib/format'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { LinkedRecords } from '~/records/LinkedRecords'
import { newInvoice } from '~/records/newRecords'
import { RecordLink } from '~/records/RecordLink'
import { DraftButton } from '~/ui/DraftButton'

/** The newest invoices that are linked to a customer, the number of all of them, and a button that creates one. */
export function CustomerInvoices({ customer }: { customer: Customer }) {
  const { can_create } = usePermissions(paths.invoices)
  const hasDraft = useHasDraft(newInvoice.draftOf(customer))
  const navigate = useNavigate()
  const filter = filterBy('customer_id', customer.customer_id)
  const list = listAddress(paths.invoices, { filter })
  const request = useCallback(
    (limit: number, signal: AbortSignal) => core.listInvoices({ page: 1, limit, filter }, signal),
    [filter],
  )
  return (
    <LinkedRecords
      title={t`Invoices`}
      request={request}
      list={list}
      idOf={({ _id }) => _id}
      item={invoice => <InvoiceLink invoice={invoice} list={list} />}
      texts={{
        total: total => plural(total, { one: '# invoice', other: '# invoices' }),
        all: total => t`Show all ${count(total)} invoices`,
        empty: t`No invoice is linked to this customer. Choose the customer in an invoice to link it.`,
        failed: t`Failed to load invoices.`,
      }}
      action={
        // An invoice needs a name.
        can_create &&
        !core.isErased(customer.name) && (
          <DraftButton
            hasDraft={hasDraft}
            onClick={() => void navigate(paths.invoices, { state: newInvoice.request(customer) })}
          >
            <Plus aria-hidden className="size-4" />
            {t`Create invoice`}
          </DraftButton>
        )
      }
    />
  )
}

function InvoiceLink({ invoice, list }: { invoice: Invoice; list: string }) {
  const { _id, customer, customerRequirements, startDate, endDate, projectPrice } = invoice
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
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
    </div>
  )
}
