import type { Records } from '~/core'
import type { Kind } from './kind'

const modules = import.meta.glob<{ kind: Kind }>('../features/*/kind.ts', { eager: true })

/**
 * The `Kind` of each feature with records, by resource. No `kind.ts` may import this module, not even indirectly.
 */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.values(modules).map(({ kind }) => [kind.resource, kind]),
)

export type ListedKind = Kind & Required<Pick<Kind, 'find'>> & { resource: keyof Records }

/** Returns whether the records have a list that can be searched. */
export const isListed = (kind: Kind | undefined): kind is ListedKind => kind?.find !== undefined
