import type { RouteObject } from 'react-router'
import { listRoute } from '~/records/routes'
import { kind } from './kind'

export const routes: RouteObject[] = [listRoute(kind, async () => (await import('./UsersPage')).UsersPage)]
