import type { RouteObject } from 'react-router'
import { paths } from '~/lib/paths'
import { HomePage } from './HomePage'
import { SoonPage } from './SoonPage'

// What the navigation leads to and what isn't built yet. A screen that comes takes its path away from here.
const soon = [
  ['customers', 'Customers'],
  ['invoices', 'Invoices'],
] as const

export const homeRoutes: RouteObject[] = [
  { index: true, Component: HomePage },
  { path: `${paths.home}/admin`, Component: HomePage },
  ...soon.map(([path, title]) => ({ path, Component: () => SoonPage({ title }) })),
]
