import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { rolesLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('roles', async () => (await import('./RolesPage')).RolesPage, rolesLoader),
]
