import { canRead } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { kinds } from '../kinds'

/** Returns the path of a record's page; undefined if the user can't open it. */
export type PathOf = (resource: string, id: string) => string | undefined

/** Returns a function that returns the paths of the records that the user can open. */
export function useRecordPaths(): PathOf {
  const { resources } = useSession()
  return (resource, id) => {
    const kind = kinds.get(resource)
    return kind?.hasPage && canRead(resources, kind.resource, kind.route) ? kind.pathOf?.(id) : undefined
  }
}
