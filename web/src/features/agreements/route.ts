import type { RouteObject } from 'react-router'
import { listRoute, recordRoute } from '~/records/routes'
import { kind } from './kind'

export const routes: RouteObject[] = [
  listRoute(kind, async () => (await import('./AgreementsPage')).AgreementsPage),
  recordRoute(kind, async () => (await import('./AgreementPage')).AgreementPage),
]
