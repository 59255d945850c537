import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { historyLoader } from './query'

export const routes: RouteObject[] = [
  pageRoute('history', async () => (await import('./HistoryPage')).HistoryPage, historyLoader),
]
