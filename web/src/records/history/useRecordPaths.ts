import { useMemo } from 'react'
import { canRead } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { kinds } from '../kinds'

/** Returns the path of a record's page; undefined if the user can't open it. */
export type PathOf = (resource: string, id: string) => string | undefined

/** Returns a function that returns the paths of the records that the user can open. */
export function useRecordPaths(): PathOf {
  const { resources } = useSession()
  // Each question is a call of wasm that reads all resources, and a page asks it for each entry.
  const readable = useMemo(
    () =>
      new Set<string>(
        [...kinds.values()]
          .filter(({ hasPage, resource, route }) => hasPage && canRead(resources, resource, route))
          .map(({ resource }) => resource),
      ),
    [resources],
  )
  return (resource, id) => (readable.has(resource) ? kinds.get(resource)?.pathOf?.(id) : undefined)
}
