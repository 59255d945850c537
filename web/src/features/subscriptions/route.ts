import type { RouteObject } from 'react-router'
import { subscriptionsLoader } from './loader'

export const subscriptionRoutes: RouteObject[] = [
  {
    path: 'subscriptions',
    loader: subscriptionsLoader,
    lazy: async () => ({ Component: (await import('./SubscriptionsPage')).SubscriptionsPage }),
  },
]
