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

/** Returns the storage key of the draft of the form of a corporation's user; without an id, that of a new user. */
export const userDraftOf = (corpId: string, id = '') => `user ${id} of ${corpId}`

/** Returns the storage key of the draft of the reason why a corporation's sign-up is declined. */
export const declineDraftOf = (corpId: string) => `decline of ${corpId}`
