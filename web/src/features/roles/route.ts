import type { RouteObject } from 'react-router'
import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

/** Loads all roles. The page filters them. */
export const rolesLoader = listLoader(readQuery, core => core.listRoles())

export const roleRoutes: RouteObject[] = [
  {
    path: 'roles',
    loader: rolesLoader,
    lazy: async () => ({ Component: (await import('./RolesPage')).RolesPage }),
  },
]
