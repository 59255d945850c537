import type { ContactSummary } from '~/core'
import { paths } from '~/lib/paths'
import { parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import { listDuplicates } from '~/records/merge/duplicates'
import type { RecordSource } from '~/records/useNeighbors'
import { type ContactsQuery, contactsAddress, readContactsQuery } from './query'

export const contactSource: RecordSource<ContactSummary, ContactsQuery> = {
  read: readContactsQuery,
  async list(core, query) {
    const { data, pagination } = await core.listRecords('contacts', {
      ...parametersOf(query),
      limit: core.recordPageSize('contacts'),
    })
    const { currentPage, totalPages, totalContacts } = pagination
    return { data, currentPage, totalPages, totalItems: totalContacts }
  },
  address: contactsAddress,
  idOf: contact => contact._id,
  pathOf: paths.contact,
}

export const contactsLoader = listLoader(contactSource.read, contactSource.list)

export const contactLoader = recordLoader((core, id) => core.getRecord('contacts', id))

export const duplicatesLoader = listLoader(readQuery, (core, query) =>
  listDuplicates<ContactSummary>(core, 'contacts', query),
)
