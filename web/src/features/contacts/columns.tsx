import { t } from '@lingui/core/macro'
import type { ContactSummary } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { nameColumn } from '~/records/extraColumns'
import { Avatar } from '~/ui/Avatar'
import { kind } from './kind'

export const columns: Column<ContactSummary>[] = [
  {
    ...nameColumn(kind, 'name', t`Name`),
    // On a tablet, the name needs the space.
    picture: ({ name }) => (
      <span className="max-lg:hidden">
        <Avatar name={name} />
      </span>
    ),
  },
  {
    id: 'email',
    header: t`Email`,
    cell: ({ email }) => text(email),
    reach: ({ email }) => email && mailUrl(email),
  },
  {
    id: 'phone',
    header: t`Phone`,
    width: 176,
    cell: ({ phone }) => text(phone, 'tabular-nums'),
    reach: ({ phone }) => phone && telUrl(phone),
  },
]
