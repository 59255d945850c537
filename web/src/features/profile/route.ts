import type { RouteObject } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'

/** The account and its colours as the server has them now, which another device may have changed. */
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
