import type { RouteObject } from 'react-router'
import type { CustomerSummary } from '~/core'
import { pageRoute } from '~/lib/pageRoute'
import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'
import { listDuplicates } from '~/records/merge/duplicates'
import { listRoute, recordRoute } from '~/records/routes'
import { kind } from './kind'

export const routes: RouteObject[] = [
  listRoute(kind, async () => (await import('./CustomersPage')).CustomersPage),
  pageRoute(
    'customers/duplicates',
    async () => (await import('./DuplicatesPage')).CustomerDuplicatesPage,
    listLoader(readQuery, (core, query) => listDuplicates<CustomerSummary>(core, 'customers', query)),
  ),
  recordRoute(kind, async () => (await import('./CustomerPage')).CustomerPage),
]
