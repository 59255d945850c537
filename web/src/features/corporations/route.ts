import type { RouteObject } from 'react-router'
import { corporationsLoader, corporationUsersLoader } from './loader'

export const corporationRoutes: RouteObject[] = [
  {
    path: 'corporations',
    loader: corporationsLoader,
    lazy: async () => ({ Component: (await import('./CorporationsPage')).CorporationsPage }),
  },
  {
    path: 'corporations/:id/users',
    loader: corporationUsersLoader,
    lazy: async () => ({ Component: (await import('./CorporationUsersPage')).CorporationUsersPage }),
  },
]
