import type { RouteObject } from 'react-router'
import { paths } from '~/lib/paths'
import { HomePage } from './HomePage'

export const homeRoutes: RouteObject[] = [
  { index: true, Component: HomePage },
  { path: `${paths.home}/admin`, Component: HomePage },
]
