import { t } from '@lingui/core/macro'
import type { User } from '~/core'
import { day } from '~/lib/format'
import { fullName } from '~/lib/session'
import { roleName, userTypeNames } from '~/lib/words'
import { AccountStatus } from '~/records/AccountStatus'
import { avatarOf, text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { Time } from '~/records/Time'

export const columns: Column<User>[] = [
  {
    id: 'first_name',
    sort: ['first_name', 'last_name'],
    header: t`Name`,
    picture: avatarOf(fullName),
    cell: user => text(fullName(user), 'truncate font-medium'),
  },
  {
    id: 'email',
    header: t`Email`,
    whenNarrow: 'last',
    cell: ({ email }) => text(email),
  },
  { id: 'role', header: t`Role`, width: 140, cell: ({ role }) => text(role && roleName(role.name)) },
  {
    id: 'user_type',
    header: t`Type`,
    width: 136,
    cell: ({ user_type }) => text(userTypeNames[user_type]),
  },
  {
    id: 'created_at',
    header: t`Joined`,
    isOnlyWide: true,
    whenNarrow: 'notOnPhone',
    width: 128,
    cell: ({ created_at }) => (
      <Time at={created_at} className="tabular-nums">
        {day(created_at)}
      </Time>
    ),
  },
  {
    id: 'is_active',
    // A banned user can be active or not.
    sort: ['is_banned', 'is_active'],
    header: t`Status`,
    whenNarrow: 'first',
    width: 108,
    cell: ({ is_active, is_banned }) => <AccountStatus isActive={is_active} isBanned={is_banned} />,
  },
]
