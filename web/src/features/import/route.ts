import type { RouteObject } from 'react-router'

export const importRoutes: RouteObject[] = [
  {
    path: 'contacts/imports',
    lazy: { Component: async () => (await import('./ImportsPage')).ImportsPage },
  },
  {
    path: 'contacts/imports/new',
    lazy: { Component: async () => (await import('./ImportPage')).ImportPage },
  },
]
