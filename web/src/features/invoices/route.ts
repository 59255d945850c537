import type { RouteObject } from 'react-router'
import { DIALOG } from '~/lib/paths'
import { invoiceLoader, invoicesLoader } from './loader'

export const invoiceRoutes: RouteObject[] = [
  {
    path: 'invoices',
    loader: invoicesLoader,
    lazy: async () => ({ Component: (await import('./InvoicesPage')).InvoicesPage }),
    // One invoice is a dialog over the list that it stands in.
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
