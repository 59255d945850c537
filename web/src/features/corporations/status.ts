import { t } from '@lingui/core/macro'
import type { Corporation } from '~/core'

const names = {
  active: t({ message: 'Active', context: 'corporation' }),
  inactive: t({ message: 'Inactive', context: 'corporation' }),
  waiting: t`Waiting for approval`,
}

const kinds = { active: 'success', inactive: 'quiet', waiting: 'warning' } as const

/** Returns whether the users of a corporation can sign in, in words and as the kind of a badge. */
export function statusOf({ corp_active, awaits_approval }: Corporation) {
  const status = corp_active ? 'active' : awaits_approval ? 'waiting' : 'inactive'
  return { name: names[status], kind: kinds[status] }
}
