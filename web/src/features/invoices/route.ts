import type { RouteObject } from 'react-router'
import { DIALOG } from '~/lib/paths'
import { listRoute, recordRoute } from '~/records/routes'
import { kind } from './kind'

export const routes: RouteObject[] = [
  {
    ...listRoute(kind, async () => (await import('./InvoicesPage')).InvoicesPage),
    // The details of an invoice are a dialog above the list.
    children: [
      {
        ...recordRoute(kind, async () => (await import('./InvoiceDetails')).InvoiceDetails),
        path: ':id/details',
        handle: DIALOG,
      },
    ],
  },
  recordRoute(kind, async () => (await import('./InvoicePage')).InvoicePage),
]
