import type { RouteObject } from 'react-router'
import { customersLoader } from './loader'

export const customerRoutes: RouteObject[] = [
  {
    path: 'customers',
    loader: customersLoader,
    lazy: async () => ({ Component: (await import('./CustomersPage')).CustomersPage }),
  },
]
