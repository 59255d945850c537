import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { trashLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('trash', async () => (await import('./TrashPage')).TrashPage, trashLoader),
]
