import { t } from '@lingui/core/macro'
import { ReceiptText } from 'lucide-react'
import { Outlet, useLoaderData, useMatch } from 'react-router'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { EmptyList } from '~/records/EmptyList'
import { NothingFound, RecordList } from '~/records/RecordList'
import { DeleteButton, EditButton, ViewLink } from '~/records/RowActions'
import { useRecords } from '~/records/useRecords'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { columns } from './columns'
import { DeleteInvoiceDialog } from './DeleteInvoiceDialog'
import { InvoiceForm } from './InvoiceForm'
import type { invoicesLoader } from './loader'

/** The list of invoices. The details of an invoice are a route above it. */
export function InvoicesPage() {
  const isOneOpen = useMatch(`${paths.invoices}/:id/details`) !== null
  useTitle(isOneOpen ? t`Invoice Details` : t`Invoices Management`)
  const invoices = useRecords({ route: paths.invoices, ...useLoaderData<typeof invoicesLoader>() })
  const { query, may, create, form, deletion } = invoices
  const { search } = query
  return (
    <Page
      title={t`Invoices Management`}
      subtitle={t`What your customers ordered, with dates and prices.`}
      actions={may.can_create && <NewButton label={t`Create New Invoice`} onClick={create} />}
    >
      <RecordList
        list="invoices"
        records={invoices}
        search={{ label: t`Search invoices` }}
        bulk={{ nameOf: ({ customer }) => customer }}
        label={t`Invoices`}
        noun={t`invoices`}
        pageSize={core.invoicesPageSize()}
        loadFailed={t`Failed to load invoices.`}
        forbidden={t`You don't have access to invoices`}
        empty={
          search ? (
            <NothingFound title={t`No invoices found.`} to={paths.invoices}>
              {t`No customer, website or email matches “${search}”.`}
            </NothingFound>
          ) : (
            <EmptyList
              icon={ReceiptText}
              title={t`No invoices found.`}
              button={t`Create the first invoice`}
              onCreate={may.can_create && create}
            >
              {t`Invoices will appear here once they are created.`}
            </EmptyList>
          )
        }
        columns={columns}
        idOf={invoice => invoice._id}
        wide
        actionsWidth="w-38"
        actions={invoice => (
          <>
            <ViewLink
              to={paths.invoiceDetails(invoice._id)}
              keepsSearch
              label={t`View invoice for ${invoice.customer}`}
            />
            <EditButton
              records={invoices}
              record={invoice}
              label={t`Edit invoice for ${invoice.customer}`}
              tip={t`Edit`}
            />
            <DeleteButton
              records={invoices}
              record={invoice}
              label={t`Delete invoice for ${invoice.customer}`}
              tip={t`Delete`}
            />
          </>
        )}
      />
      {form && <InvoiceForm {...form} />}
      {deletion && <DeleteInvoiceDialog {...deletion} />}
      <Outlet />
    </Page>
  )
}
