import type { RouteObject } from 'react-router'
import { readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'

export const corporationsLoader = listLoader(readQuery, (core, query) =>
  core.listCorporations({ ...query, limit: core.corporationsPageSize() }),
)

export const corporationUsersLoader = recordLoader(async (core, id) => {
  const [corporation, users] = await Promise.all([core.getCorporation(id), core.listCorporationUsers(id)])
  return { corporation, users }
})

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
