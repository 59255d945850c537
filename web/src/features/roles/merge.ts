import { core, type RoleResource } from '~/core'
import { ACTIONS, boxName } from './actions'

type Matrix = RoleResource[]

/** A checkbox that another user has changed, with its current state. */
export type TheirBox = { name: string; on: boolean }

/** Returns the resources without subresources. The checkboxes of the others only summarize these. */
const leaves = (matrix: Matrix) =>
  matrix.flatMap(resource => (resource.subresources.length > 0 ? resource.subresources : [resource]))

/** Returns the checkboxes that differ between two matrices, with their state in `after`. */
function changes(before: Matrix, after: Matrix) {
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

/** Applies the user's changes to a matrix that another user has saved meanwhile. Returns the other user's changes too. */
export function merge(based: Matrix, mine: Matrix, theirs: Matrix): { matrix: Matrix; boxes: TheirBox[] } {
  const matrix = changes(based, mine).reduce(
    (merged, { id, action, on }) => core.setPermission(merged, id, action, on),
    theirs,
  )
  return { matrix, boxes: changes(based, theirs).map(({ name, on }) => ({ name, on })) }
}
