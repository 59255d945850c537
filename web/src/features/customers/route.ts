import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { customersLoader } from './loader'

export const customerRoutes: RouteObject[] = [
  pageRoute('customers', async () => (await import('./CustomersPage')).CustomersPage, customersLoader),
]
