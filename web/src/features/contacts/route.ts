import type { RouteObject } from 'react-router'
import type { ContactSummary } from '~/core'
import { pageRoute } from '~/lib/pageRoute'
import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'
import { listDuplicates } from '~/records/merge/duplicates'
import { listRoute, recordRoute } from '~/records/routes'
import { kind } from './kind'

export const routes: RouteObject[] = [
  listRoute(kind, async () => (await import('./ContactsPage')).ContactsPage),
  pageRoute(
    'contacts/duplicates',
    async () => (await import('./DuplicatesPage')).ContactDuplicatesPage,
    listLoader(readQuery, (core, query) => listDuplicates<ContactSummary>(core, 'contacts', query)),
  ),
  recordRoute(kind, async () => (await import('./ContactPage')).ContactPage),
]
