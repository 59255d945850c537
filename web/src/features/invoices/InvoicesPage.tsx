import { t } from '@lingui/core/macro'
import { ReceiptText } from 'lucide-react'
import { Outlet, useMatch } from 'react-router'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { RecordsPage } from '~/records/RecordsPage'
import { ViewLink } from '~/records/RowActions'
import { columns } from './columns'
import { DeleteInvoiceDialog } from './DeleteInvoiceDialog'
import { InvoiceForm } from './InvoiceForm'

const words = {
  title: t`Invoices Management`,
  subtitle: t`What your customers ordered, with dates and prices.`,
  create: t`Create New Invoice`,
  label: t`Invoices`,
  noun: t`invoices`,
  search: t`Search invoices`,
  loadFailed: t`Failed to load invoices.`,
  forbidden: t`You don't have access to invoices`,
  none: t`No invoices found.`,
  noMatch: (search: string) => t`No customer, website or email matches “${search}”.`,
  first: t`Create the first invoice`,
  hint: t`Invoices will appear here once they are created.`,
  edit: (customer: string) => t`Edit invoice for ${customer}`,
  remove: (customer: string) => t`Delete invoice for ${customer}`,
}

/** The page with the list of invoices. The details of an invoice are a dialog above it, with a route of its own. */
export function InvoicesPage() {
  const isOneOpen = useMatch(`${paths.invoices}/:id/details`) !== null
  useTitle(isOneOpen ? t`Invoice Details` : words.title)
  return (
    <RecordsPage
      list="invoices"
      route={paths.invoices}
      words={words}
      icon={ReceiptText}
      columns={columns}
      idOf={({ _id }) => _id}
      nameOf={({ customer }) => customer}
      Form={InvoiceForm}
      Deletion={DeleteInvoiceDialog}
      actionsWidth="w-38"
      actions={({ _id, customer }) => (
        <ViewLink to={paths.invoiceDetails(_id)} keepsSearch label={t`View invoice for ${customer}`} />
      )}
    >
      <Outlet />
    </RecordsPage>
  )
}
