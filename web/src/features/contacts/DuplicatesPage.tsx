import { t } from '@lingui/core/macro'
import { paths } from '~/lib/paths'
import { DuplicatesPage } from '~/records/merge/DuplicatesPage'
import { kind } from './kind'

/** The page of contacts that may be duplicates of each other. */
export function ContactDuplicatesPage() {
  return (
    <DuplicatesPage
      kind={kind}
      route={paths.duplicateContacts}
      title={t`Duplicate contacts`}
      detailsOf={({ email, phone, address }) => [email, phone, address]}
    />
  )
}
