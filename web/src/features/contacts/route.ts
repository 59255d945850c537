import type { RouteObject } from 'react-router'
import { contactLoader, contactsLoader } from './loader'

export const contactRoutes: RouteObject[] = [
  {
    path: 'contacts',
    loader: contactsLoader,
    lazy: async () => ({ Component: (await import('./ContactsPage')).ContactsPage }),
  },
  {
    path: 'contacts/:id',
    loader: contactLoader,
    lazy: async () => ({ Component: (await import('./ContactPage')).ContactPage }),
  },
]
