import type { PermissionResource } from '~/core'
import { canRead } from '~/lib/resources'
import { isListed, kinds, type ListedKind } from '~/records/kinds'

/** Returns the kinds of records that the user may search, in the order of the navigation. */
export const searchableKinds = (resources: PermissionResource[]): ListedKind[] =>
  resources
    .map(({ resource_id }) => kinds.get(resource_id))
    .filter(isListed)
    .filter(({ resource, route }) => canRead(resources, resource, route))
