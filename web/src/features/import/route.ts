import type { RouteObject } from 'react-router'

export const importRoutes: RouteObject[] = [
  {
    path: 'contacts/imports',
    lazy: async () => ({ Component: (await import('./ImportsPage')).ImportsPage }),
  },
  {
    path: 'contacts/imports/new',
    lazy: async () => ({ Component: (await import('./ImportPage')).ImportPage }),
  },
]
