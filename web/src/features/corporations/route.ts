import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { corporationsLoader, corporationUsersLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute(
    'corporations',
    async () => (await import('./CorporationsPage')).CorporationsPage,
    corporationsLoader,
  ),
  pageRoute(
    'corporations/:id/users',
    async () => (await import('./CorporationUsersPage')).CorporationUsersPage,
    corporationUsersLoader,
  ),
]
