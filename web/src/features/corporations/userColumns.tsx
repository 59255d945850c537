import { t } from '@lingui/core/macro'
import type { CorporationUser } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { roleName, userTypeNames } from '~/lib/words'
import { AccountStatus } from '~/records/AccountStatus'
import { avatarOf, text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { userName } from './userName'

/** The columns of a corporation's users, which are sorted by the fields of the list `users`. */
export const userColumns: Column<CorporationUser>[] = [
  {
    id: 'name',
    sort: ['first_name', 'last_name'],
    header: t`Name`,
    picture: avatarOf(userName),
    cell: user => text(userName(user), 'truncate font-medium'),
  },
  {
    id: 'email',
    header: t`Email`,
    whenNarrow: 'last',
    cell: ({ email }) => text(email),
    reach: ({ email }) => mailUrl(email),
  },
  {
    id: 'mobile',
    header: t`Mobile`,
    width: 160,
    cell: ({ mobile }) => text(mobile, 'tabular-nums'),
    reach: ({ mobile }) => mobile && telUrl(mobile),
  },
  {
    id: 'type',
    sort: ['user_type'],
    header: t`User Type`,
    width: 136,
    cell: ({ type }) => text(userTypeNames[type]),
  },
  {
    id: 'role',
    header: t`Role`,
    isOnlyWide: true,
    width: 140,
    cell: ({ UserRole }) => text(UserRole && roleName(UserRole.name)),
  },
  {
    id: 'is_active',
    // A banned user can be active or not.
    sort: ['is_banned', 'is_active'],
    header: t`Status`,
    whenNarrow: 'first',
    width: 120,
    cell: ({ is_active, ban }) => <AccountStatus isActive={is_active} isBanned={!!ban} />,
  },
]
