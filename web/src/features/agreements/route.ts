import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { agreementLoader, agreementsLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('agreements', async () => (await import('./AgreementsPage')).AgreementsPage, agreementsLoader),
  pageRoute('agreements/:id', async () => (await import('./AgreementPage')).AgreementPage, agreementLoader),
]
