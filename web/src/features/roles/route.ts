import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { rolesLoader } from './loader'

export const roleRoutes: RouteObject[] = [
  pageRoute('roles', async () => (await import('./RolesPage')).RolesPage, rolesLoader),
]
