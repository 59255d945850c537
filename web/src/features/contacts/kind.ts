import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { firstPage, type Kind, toResults } from '~/records/kind'

export const kind: Kind = {
  resource: 'contacts',
  title: t`Contacts`,
  route: paths.contacts,
  icon: 'contact',
  create: { title: t`New contact`, also: t`add create` },
  find: async (text, signal) => {
    const { data, pagination } = await core.listRecords('contacts', firstPage(text), signal)
    const list = { data, totalItems: pagination.totalContacts }
    return toResults(list, ({ _id: id, name, email, phone }) => ({
      id,
      title: name,
      note: email || phone,
      to: paths.contact(id),
    }))
  },
}
