import type { RouteObject } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'

/** What the corporation may use, and whom to ask for more. It is handed over before it has come. */
export async function subscriptionsLoader() {
  const core = await loadCore()
  return { coming: settle(core.getAllowedResources()) }
}

export const subscriptionRoutes: RouteObject[] = [
  {
    path: 'subscriptions',
    loader: subscriptionsLoader,
    lazy: async () => ({ Component: (await import('./SubscriptionsPage')).SubscriptionsPage }),
  },
]
