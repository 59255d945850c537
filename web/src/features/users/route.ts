import type { RouteObject } from 'react-router'
import { usersLoader } from './loader'

export const userRoutes: RouteObject[] = [
  {
    path: 'users',
    loader: usersLoader,
    lazy: async () => ({ Component: (await import('./UsersPage')).UsersPage }),
  },
]
