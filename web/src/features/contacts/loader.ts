import { parametersOf } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import { readContactsQuery } from './query'

export const contactsLoader = listLoader(readContactsQuery, async (core, query) => {
  const { data, pagination } = await core.listContacts({
    ...parametersOf(query),
    limit: core.contactsPageSize(),
  })
  const { currentPage, totalPages, totalContacts } = pagination
  return { data, currentPage, totalPages, totalItems: totalContacts }
})

export const contactLoader = recordLoader((core, id) => core.getContact(id))
