import { core, type PermissionResource, type TrashEntry, type TrashInput } from '~/core'
import { isGone } from '~/core/problem'
import type { Taken } from '~/records/trash'

/** Returns a key that identifies a record among the records of several resources. */
export const keyOf = ({ resource, id }: Pick<TrashEntry, 'resource' | 'id'>) => `${resource}/${id}`

/** The result of restoring records, or of deleting them permanently. */
export type Outcome = {
  /** Number of records that were restored or deleted. */
  count: number
  /** Number of records that were no longer in the trash. */
  missing: number
  failed: { resource: string; keys: string[]; error: unknown }[]
}

/**
 * Restores or permanently deletes (`send`) the records with these keys, by one request for each resource, in the order
 * of `core.trashResources`: customers before the invoices linked to them.
 */
export async function sendPerResource(
  keys: string[],
  permissions: PermissionResource[],
  send: (input: TrashInput) => Promise<Taken>,
): Promise<Outcome> {
  const outcome: Outcome = { count: 0, missing: 0, failed: [] }
  const resources = new Set(keys.map(key => key.slice(0, key.indexOf('/'))))
  const order: string[] = core.trashResources(permissions)
  for (const resource of new Set([...order.filter(each => resources.has(each)), ...resources])) {
    const prefix = keyOf({ resource, id: '' })
    const own = keys.filter(key => key.startsWith(prefix))
    try {
      const { count } = (await send({ resource, ids: own.map(key => key.slice(prefix.length)) })).data
      outcome.count += count
      outcome.missing += own.length - count
    } catch (error) {
      if (isGone(error)) outcome.missing += own.length
      else outcome.failed.push({ resource, keys: own, error })
    }
  }
  return outcome
}
