import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { firstPage, type Kind, toResults } from '~/records/kind'

export const kind: Kind = {
  resource: 'corporations',
  title: t`Corporations`,
  route: paths.corporations,
  icon: 'building',
  create: { title: t`New corporation`, also: t`add create` },
  find: async (text, signal) =>
    toResults(await core.listRecords('corporations', firstPage(text), signal), corporation => ({
      id: corporation.corp_id,
      title: corporation.corp_name,
      note: corporation.organization_number,
      to: paths.corporationUsers(corporation.corp_id),
    })),
}
