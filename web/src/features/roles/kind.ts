import { t } from '@lingui/core/macro'
import { paths } from '~/lib/paths'
import { capitalize, type Kind } from '~/records/kind'

const words = { one: t`role`, many: t`roles`, definite: t({ message: 'role', context: 'definite' }) }

export const kind: Kind = {
  resource: 'roles',
  title: capitalize(words.many),
  route: paths.roles,
  icon: 'shield',
  words,
  create: { title: t`New role`, also: t`add create` },
}

/** Returns the storage key of the draft of a role's form; without an id, that of a new role. */
export const draftOf = (id = '') => `role ${id}`
