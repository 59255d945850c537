import { t } from '@lingui/core/macro'
import type { ContactSummary } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { paths } from '~/lib/paths'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { RecordLink } from '~/records/RecordLink'
import { Avatar } from '~/ui/Avatar'

export const columns: Column<ContactSummary>[] = [
  {
    id: 'name',
    header: t`Name`,
    className: 'w-[26%] lg:w-[32%]',
    // On a tablet, the name needs the space.
    picture: ({ name }) => (
      <span className="max-lg:hidden">
        <Avatar name={name} />
      </span>
    ),
    cell: ({ _id, name }) => (
      <RecordLink
        to={paths.contact(_id)}
        title={name}
        className="truncate rounded font-medium hover:underline"
      >
        {name}
      </RecordLink>
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
    className: 'w-40 lg:w-52',
    cell: ({ phone }) => text(phone, 'tabular-nums'),
    reach: ({ phone }) => phone && telUrl(phone),
  },
]
