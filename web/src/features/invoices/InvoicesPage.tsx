import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Outlet, useLocation, useMatch } from 'react-router'
import type { Invoice } from '~/core'
import { paths } from '~/lib/paths'
import { newInvoice } from '~/records/newRecords'
import { RecordsPage } from '~/records/RecordsPage'
import { ViewLink, widthOfButtons } from '~/records/RowActions'
import type { FormDialog } from '~/records/useDialogs'
import { columns } from './columns'
import { InvoiceForm } from './InvoiceForm'
import { kind } from './kind'

const words = {
  title: t`Invoices Management`,
  subtitle: t`What your customers ordered, with dates and prices.`,
  create: t`Create New Invoice`,
  noMatch: (search: string) => t`No customer, website or email matches “${search}”.`,
  first: t`Create the first invoice`,
  hint: t`Invoices will appear here once they are created.`,
  edit: (customer: string) => t`Edit invoice for ${customer}`,
  remove: (customer: string) => t`Delete invoice for ${customer}`,
}

/** The page with the list of invoices. The details of an invoice are a dialog above it, with a route of its own. */
export function InvoicesPage() {
  const isOneOpen = useMatch(`${paths.invoices}/:id/details`) !== null
  return (
    <RecordsPage
      kind={kind}
      words={words}
      tabTitle={isOneOpen ? t`Invoice Details` : undefined}
      columns={columns}
      Form={ListForm}
      actionsWidth={widthOfButtons(3)}
      actions={({ _id, customer }) => (
        <ViewLink to={paths.invoiceDetails(_id)} keepsSearch label={t`View invoice for ${customer}`} />
      )}
    >
      <Outlet />
    </RecordsPage>
  )
}

/** The form of the list. A new invoice may begin with a customer. */
function ListForm(dialog: FormDialog<Invoice>) {
  const { state } = useLocation()
  const [begun] = useState(() => (dialog.record ? undefined : newInvoice.consume(state, kind.draftOf())))
  return <InvoiceForm {...dialog} begun={begun} />
}
