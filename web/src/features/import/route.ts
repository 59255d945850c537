import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { importsLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('contacts/imports', async () => (await import('./ImportsPage')).ImportsPage, importsLoader),
  pageRoute('contacts/imports/new', async () => (await import('./ImportPage')).ImportPage),
]
