import type { RouteObject } from 'react-router'
import { paths } from '~/lib/paths'
import { dashboardLoader } from './loader'

const screen = {
  loader: dashboardLoader,
  lazy: async () => ({ Component: (await import('./DashboardPage')).DashboardPage }),
}

export const routes: RouteObject[] = [
  { ...screen, index: true },
  { ...screen, path: paths.adminHome },
]
