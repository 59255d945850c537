import { t } from '@lingui/core/macro'
import type { Action, RoleResource } from '~/core'

/** The columns of a matrix with their headers. */
export const ACTIONS: readonly (readonly [action: Action, name: string])[] = [
  ['read', t`View`],
  ['create', t`Add`],
  ['update', t`Edit`],
  ['delete', t`Delete`],
]

/** Returns the label of a checkbox, such as "View Customers". */
export const boxName = (name: string, { title }: RoleResource) => t`${name} ${title}`
