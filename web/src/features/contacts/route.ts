import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { contactLoader, contactsLoader, duplicatesLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('contacts', async () => (await import('./ContactsPage')).ContactsPage, contactsLoader),
  pageRoute(
    'contacts/duplicates',
    async () => (await import('./DuplicatesPage')).ContactDuplicatesPage,
    duplicatesLoader,
  ),
  pageRoute('contacts/:id', async () => (await import('./ContactPage')).ContactPage, contactLoader),
]
