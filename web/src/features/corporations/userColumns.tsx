import { t } from '@lingui/core/macro'
import type { CorporationUser } from '~/core'
import { telUrl } from '~/lib/links'
import { userTypeNames } from '~/lib/words'
import { AccountStatus } from '~/records/AccountStatus'
import { avatarOf, text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { userName } from './userName'

export const userColumns: Column<CorporationUser>[] = [
  {
    id: 'name',
    header: t`Name`,
    picture: avatarOf(userName),
    cell: user => text(userName(user), 'truncate font-medium'),
  },
  {
    id: 'email',
    header: t`Email`,
    whenNarrow: 'last',
    className: 'w-[20%]',
    cell: ({ email }) => text(email),
  },
  {
    id: 'mobile',
    header: t`Mobile`,
    className: 'w-[14%]',
    cell: ({ mobile }) => text(mobile, 'tabular-nums'),
    reach: ({ mobile }) => mobile && telUrl(mobile),
  },
  { id: 'type', header: t`User Type`, className: 'w-[13.5%]', cell: ({ type }) => text(userTypeNames[type]) },
  { id: 'role', header: t`Role`, className: 'w-[12%]', cell: ({ UserRole }) => text(UserRole?.name) },
  {
    id: 'is_active',
    header: t`Status`,
    whenNarrow: 'first',
    className: 'w-30',
    cell: ({ is_active, ban }) => <AccountStatus isActive={is_active} isBanned={!!ban} />,
  },
]
