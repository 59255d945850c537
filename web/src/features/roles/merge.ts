import { core, type RoleResource } from '~/core'
import { ACTIONS, boxName } from './actions'

type Matrix = RoleResource[]

/** A checkbox of the permission matrix that another user has changed, with its new state. */
export type TheirBox = { name: string; on: boolean }

/** Returns the resources that have no subresources. The checkboxes of all others only summarize their subresources. */
const leaves = (matrix: Matrix) =>
  matrix.flatMap(resource => (resource.subresources.length > 0 ? resource.subresources : [resource]))

/** Returns the checkboxes of `after` that have another state in `before`, with their state in `after`. */
export function changes(before: Matrix, after: Matrix) {
  const known = new Map(leaves(before).map(resource => [resource.resource_id, resource]))
  const isOn = (resource: RoleResource, action: (typeof ACTIONS)[number][0]) =>
    core.permissionMark(resource, action) === 'on'
  return leaves(after).flatMap(resource =>
    ACTIONS.flatMap(([action, name]) => {
      const old = known.get(resource.resource_id)
      const on = isOn(resource, action)
      if (!old || isOn(old, action) === on) return []
      return [{ id: resource.resource_id, action, on, name: boxName(name, resource) }]
    }),
  )
}

/**
 * Returns `theirs`, the matrix that another user has saved meanwhile, with this user's changes (from `based` to `mine`)
 * applied, and the checkboxes that the other user has changed.
 */
export function merge(based: Matrix, mine: Matrix, theirs: Matrix): { matrix: Matrix; boxes: TheirBox[] } {
  const matrix = changes(based, mine).reduce(
    (merged, { id, action, on }) => core.setPermission(merged, id, action, on),
    theirs,
  )
  return { matrix, boxes: changes(based, theirs).map(({ name, on }) => ({ name, on })) }
}
