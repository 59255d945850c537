import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { settingsLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('profile', async () => (await import('./SettingsPage')).SettingsPage, settingsLoader),
]
