import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { DIALOG } from '~/lib/paths'
import { invoiceLoader, invoicesLoader } from './loader'

export const routes: RouteObject[] = [
  {
    path: 'invoices',
    loader: invoicesLoader,
    lazy: async () => ({ Component: (await import('./InvoicesPage')).InvoicesPage }),
    // The details of an invoice are a dialog above the list.
    children: [
      {
        path: ':id/details',
        handle: DIALOG,
        loader: invoiceLoader,
        lazy: async () => ({ Component: (await import('./InvoiceDetails')).InvoiceDetails }),
      },
    ],
  },
  pageRoute('invoices/:id', async () => (await import('./InvoicePage')).InvoicePage, invoiceLoader),
]
