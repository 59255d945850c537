import { t } from '@lingui/core/macro'
import { paths } from '~/lib/paths'
import type { Kind } from '~/records/kind'

export const kind: Kind = {
  resource: 'roles',
  title: t`Roles`,
  route: paths.roles,
  icon: 'shield',
  create: { title: t`New role`, also: t`add create` },
}
