import type { RouteObject } from 'react-router'
import { settingsLoader } from './loader'

export const profileRoutes: RouteObject[] = [
  {
    path: 'profile',
    loader: settingsLoader,
    lazy: async () => ({ Component: (await import('./SettingsPage')).SettingsPage }),
  },
]
