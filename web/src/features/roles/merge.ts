import { core, type RoleResource } from '~/core'
import { ACTIONS, boxName } from './actions'

type Matrix = RoleResource[]

/** A box that somebody else has set, and how it stands now. */
export type TheirBox = { name: string; on: boolean }

/** The resources whose boxes stand for themselves: a parent's follow those below it. */
const leaves = (matrix: Matrix) =>
  matrix.flatMap(resource => (resource.subresources.length > 0 ? resource.subresources : [resource]))

/** The boxes that stand otherwise than before, as they stand now. */
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

/** Puts what was set here onto what somebody else has saved meanwhile, and says which boxes were theirs. */
export function merge(based: Matrix, mine: Matrix, theirs: Matrix): { matrix: Matrix; boxes: TheirBox[] } {
  const matrix = changes(based, mine).reduce(
    (merged, { id, action, on }) => core.setPermission(merged, id, action, on),
    theirs,
  )
  return { matrix, boxes: changes(based, theirs).map(({ name, on }) => ({ name, on })) }
}
