import type { RouteObject } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { paths } from '~/lib/paths'

/** How the corporation is doing, as far as one may see it. It is handed over before it has come. */
export async function dashboardLoader() {
  const core = await loadCore()
  return { coming: settle(core.getDashboard()) }
}

const screen = {
  loader: dashboardLoader,
  lazy: async () => ({ Component: (await import('./DashboardPage')).DashboardPage }),
}

export const dashboardRoutes: RouteObject[] = [
  { ...screen, index: true },
  { ...screen, path: `${paths.home}/admin` },
]
