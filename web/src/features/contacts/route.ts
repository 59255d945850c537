import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { contactLoader, contactsLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('contacts', async () => (await import('./ContactsPage')).ContactsPage, contactsLoader),
  pageRoute('contacts/:id', async () => (await import('./ContactPage')).ContactPage, contactLoader),
]
