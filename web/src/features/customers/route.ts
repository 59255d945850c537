import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { customerLoader, customersLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('customers', async () => (await import('./CustomersPage')).CustomersPage, customersLoader),
  pageRoute('customers/:id', async () => (await import('./CustomerPage')).CustomerPage, customerLoader),
]
