import { t } from '@lingui/core/macro'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { fullName } from '~/lib/session'
import { recordKind } from '~/records/kind'

export const kind = recordKind({
  resource: 'users',
  icon: 'user-cog',
  words: { one: t`user`, many: t`users`, definite: t({ message: 'user', context: 'definite' }) },
  create: { title: t`New user`, also: t`add create person` },
  failures: { create: t`Failed to create user`, update: t`Failed to update user` },
  idOf: user => user.user_id,
  nameOf: user => fullName(user),
  noteOf: user => user.email,
  linkOf: user => listAddress(paths.users, { search: user.email }),
})
