import type { RouteObject } from 'react-router'
import { DIALOG } from '~/lib/paths'
import { readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'

export const invoicesLoader = listLoader(readQuery, (core, query) =>
  core.listInvoices({ ...query, limit: core.invoicesPageSize() }),
)

export const invoiceLoader = recordLoader((core, id) => core.getInvoice(id))

export const invoiceRoutes: RouteObject[] = [
  {
    path: 'invoices',
    loader: invoicesLoader,
    lazy: async () => ({ Component: (await import('./InvoicesPage')).InvoicesPage }),
    // The details of an invoice are a dialog above the list.
    children: [
      {
        path: ':id',
        handle: DIALOG,
        loader: invoiceLoader,
        lazy: async () => ({ Component: (await import('./InvoiceDetails')).InvoiceDetails }),
      },
    ],
  },
]
