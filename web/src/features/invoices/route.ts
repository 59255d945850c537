import type { RouteObject } from 'react-router'
import { DIALOG } from '~/lib/paths'
import { invoiceLoader, invoicesLoader } from './loader'

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
