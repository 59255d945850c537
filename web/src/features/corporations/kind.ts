import { t } from '@lingui/core/macro'
import { paths } from '~/lib/paths'
import { recordKind } from '~/records/kind'

export const kind = recordKind({
  resource: 'corporations',
  icon: 'building',
  words: {
    one: t`corporation`,
    many: t`corporations`,
    definite: t({ message: 'corporation', context: 'definite' }),
  },
  create: { title: t`New corporation`, also: t`add create` },
  idOf: corporation => corporation.corp_id,
  nameOf: corporation => corporation.corp_name,
  noteOf: corporation => corporation.organization_number,
  linkOf: corporation => paths.corporationUsers(corporation.corp_id),
})
