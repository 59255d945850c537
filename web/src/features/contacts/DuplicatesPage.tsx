import { t } from '@lingui/core/macro'
import type { ContactSummary } from '~/core'
import { paths } from '~/lib/paths'
import { DuplicatesPage } from '~/records/merge/DuplicatesPage'

/** The page of contacts that may be duplicates of each other. */
export function ContactDuplicatesPage() {
  return (
    <DuplicatesPage<ContactSummary>
      list="contacts"
      listRoute={paths.contacts}
      route={paths.duplicateContacts}
      words={{
        title: t`Duplicate contacts`,
        back: t`Contacts`,
        loadFailed: t`Failed to load the duplicates`,
        forbidden: t`You don't have access to contacts`,
      }}
      idOf={contact => contact._id}
      pathOf={paths.contact}
      detailsOf={({ email, phone, address }) => [email, phone, address]}
    />
  )
}
