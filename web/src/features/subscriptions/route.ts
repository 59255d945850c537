import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { subscriptionsLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute(
    'subscriptions',
    async () => (await import('./SubscriptionsPage')).SubscriptionsPage,
    subscriptionsLoader,
  ),
]
