import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { privacyLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('privacy', async () => (await import('./PrivacyPage')).PrivacyPage, privacyLoader),
]
