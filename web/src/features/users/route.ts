import type { RouteObject } from 'react-router'
import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

export const usersLoader = listLoader(readQuery, (core, query) =>
  core.listUsers({ ...query, limit: core.usersPageSize() }),
)

export const userRoutes: RouteObject[] = [
  {
    path: 'users',
    loader: usersLoader,
    lazy: async () => ({ Component: (await import('./UsersPage')).UsersPage }),
  },
]
