import type { RouteObject } from 'react-router'
import { rolesLoader } from './loader'

export const roleRoutes: RouteObject[] = [
  {
    path: 'roles',
    loader: rolesLoader,
    lazy: async () => ({ Component: (await import('./RolesPage')).RolesPage }),
  },
]
