import { t } from '@lingui/core/macro'
import type { TrashEntry } from '~/core'
import { capitalize } from '~/records/kind'
import { kinds } from '~/records/kinds'
import { iconOf } from '~/ui/icons'

/** Returns the icon and nouns for a resource's records; general ones for a resource that only a newer server knows. */
export function kindOf(resource: string) {
  const kind = kinds.get(resource)
  return kind
    ? { icon: iconOf(kind.icon), one: capitalize(kind.words.one), many: kind.title }
    : { icon: iconOf(''), one: t`Record`, many: t`Records` }
}

/** Returns the name of a deleted record; if it has none, the noun for it, such as "Contact". */
export const nameOf = ({ resource, label }: TrashEntry) => label || kindOf(resource).one
