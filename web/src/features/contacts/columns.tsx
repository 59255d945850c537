import { t } from '@lingui/core/macro'
import type { ContactSummary } from '~/core'
import { paths } from '~/lib/paths'
import { text, withAvatar } from '~/records/cells'
import type { Column } from '~/records/columns'
import { RecordLink } from '~/records/RecordLink'

export const columns: Column<ContactSummary>[] = [
  {
    id: 'name',
    header: t`Name`,
    className: 'w-[26%] lg:w-[32%]',
    cell: ({ _id, name }) =>
      withAvatar(
        name,
        <RecordLink
          to={paths.contact(_id)}
          title={name}
          className="truncate rounded font-medium hover:underline"
        >
          {name}
        </RecordLink>,
      ),
  },
  { id: 'email', header: t`Email`, cell: ({ email }) => text(email) },
  {
    id: 'phone',
    header: t`Phone`,
    className: 'w-40 lg:w-52',
    cell: ({ phone }) => text(phone, 'tabular-nums'),
  },
]
