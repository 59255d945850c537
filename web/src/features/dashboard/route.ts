import type { RouteObject } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { paths } from '~/lib/paths'

/** Loads the dashboard. Returns the pending promise, so that the page renders immediately. */
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
