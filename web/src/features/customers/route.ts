import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { customerLoader, customersLoader, duplicatesLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('customers', async () => (await import('./CustomersPage')).CustomersPage, customersLoader),
  pageRoute(
    'customers/duplicates',
    async () => (await import('./DuplicatesPage')).CustomerDuplicatesPage,
    duplicatesLoader,
  ),
  pageRoute('customers/:id', async () => (await import('./CustomerPage')).CustomerPage, customerLoader),
]
