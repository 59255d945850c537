import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { firstPage, type Kind, toResults } from '~/records/kind'

export const kind: Kind = {
  resource: 'users',
  title: t`Users`,
  route: paths.users,
  icon: 'user-cog',
  create: { title: t`New user`, also: t`add create person` },
  find: async (text, signal) =>
    toResults(
      await core.listRecords('users', firstPage(text), signal),
      ({ user_id, first_name, last_name, email }) => ({
        id: user_id,
        title: `${first_name} ${last_name}`,
        note: email,
        to: listAddress(paths.users, { page: 1, search: email }),
      }),
    ),
}
