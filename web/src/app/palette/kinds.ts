import type { PermissionResource } from '~/core'
import { canRead } from '~/lib/resources'
import type { Kind } from '~/records/kind'

export type SearchableKind = Kind & Required<Pick<Kind, 'find'>>

const modules = import.meta.glob<{ kind: Kind }>('../../features/*/kind.ts', { eager: true })

/** The `Kind` of each feature with records, by resource. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.values(modules).map(({ kind }) => [kind.resource, kind]),
)

const isSearchable = (kind: Kind | undefined): kind is SearchableKind => kind?.find !== undefined

/** Returns the kinds of records that the user may search, in the order of the navigation. */
export const searchableKinds = (resources: PermissionResource[]): SearchableKind[] =>
  resources
    .map(({ resource_id }) => kinds.get(resource_id))
    .filter(isSearchable)
    .filter(({ resource, route }) => canRead(resources, resource, route))
