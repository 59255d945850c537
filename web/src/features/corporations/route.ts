import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { listRoute, withKey } from '~/records/routes'
import { kind } from './kind'
import { corporationUsersLoader } from './loader'

export const routes: RouteObject[] = [
  listRoute(kind, async () => (await import('./CorporationsPage')).CorporationsPage),
  pageRoute(
    'corporations/:id/users',
    async () => withKey((await import('./CorporationUsersPage')).CorporationUsersPage),
    corporationUsersLoader,
  ),
]
