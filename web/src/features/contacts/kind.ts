import { t } from '@lingui/core/macro'
import { shownText } from '~/lib/words'
import { recordKind } from '~/records/kind'

export const kind = recordKind({
  resource: 'contacts',
  icon: 'contact',
  words: {
    one: t`contact`,
    many: t`contacts`,
    definite: t({ message: 'contact', context: 'definite' }),
  },
  failures: {
    create: t`Failed to create contact`,
    update: t`Failed to update contact`,
    remove: t`Failed to delete contact`,
    load: t`Failed to load contact details`,
  },
  create: { title: t`New contact`, also: t`add create` },
  idOf: contact => contact._id,
  nameOf: contact => shownText(contact.name),
  detailOf: contact => contact.email,
  noteOf: ({ email, phone }) => email || phone,
  // The id of the import job whose contacts are shown; empty for all contacts.
  parameters: ['importBatchId'],
  async list(core, request, signal) {
    const { data, pagination } = await core.listRecords('contacts', request, signal)
    const { currentPage, totalPages, totalContacts } = pagination
    return { data, currentPage, totalPages, totalItems: totalContacts }
  },
})

/** The query of the list of contacts, as in the URL. */
export type ContactsQuery = ReturnType<typeof kind.read>
