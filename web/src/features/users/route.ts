import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { usersLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('users', async () => (await import('./UsersPage')).UsersPage, usersLoader),
]
