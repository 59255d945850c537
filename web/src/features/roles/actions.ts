import type { Action } from '~/core'

/** The columns of a matrix, and what they are called. */
export const ACTIONS: readonly (readonly [action: Action, name: string])[] = [
  ['read', 'View'],
  ['create', 'Add'],
  ['update', 'Edit'],
  ['delete', 'Delete'],
]
