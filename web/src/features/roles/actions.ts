import { t } from '@lingui/core/macro'
import type { Action, RoleResource } from '~/core'
import { permissionNames } from '~/lib/words'

/** The columns of the permission matrix: each action with the column's header. */
export const ACTIONS = Object.entries(permissionNames) as [action: Action, name: string][]

/** Returns the label of a checkbox of the permission matrix, such as "View Customers". */
export const boxName = (name: string, { title }: RoleResource) => t`${name} ${title}`
