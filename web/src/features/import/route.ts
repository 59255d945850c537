import type { RouteObject } from 'react-router'
import { importsLoader } from './loader'

export const importRoutes: RouteObject[] = [
  {
    path: 'contacts/imports',
    loader: importsLoader,
    lazy: async () => ({ Component: (await import('./ImportsPage')).ImportsPage }),
  },
  {
    path: 'contacts/imports/new',
    lazy: async () => ({ Component: (await import('./ImportPage')).ImportPage }),
  },
]
