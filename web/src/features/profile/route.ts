import type { RouteObject } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'

/** Loads the profile and theme from the server, because another device may have changed them. */
export async function settingsLoader() {
  const core = await loadCore()
  return { coming: settle(Promise.all([core.getProfile(), core.getTheme()])) }
}

export const profileRoutes: RouteObject[] = [
  {
    path: 'profile',
    loader: settingsLoader,
    lazy: async () => ({ Component: (await import('./SettingsPage')).SettingsPage }),
  },
]
