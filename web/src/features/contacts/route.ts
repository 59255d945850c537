import type { RouteObject } from 'react-router'
import { listLoader, recordLoader } from '~/records/loaders'
import { readContactsQuery } from './query'

export const contactsLoader = listLoader(readContactsQuery, async (core, query) => {
  const { data, pagination } = await core.listContacts({ ...query, limit: core.contactsPageSize() })
  const { currentPage, totalPages, totalContacts } = pagination
  return { data, currentPage, totalPages, totalItems: totalContacts }
})

export const contactLoader = recordLoader((core, id) => core.getContact(id))

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
