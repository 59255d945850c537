import { isGone, isUnanswered } from '~/core/problem'
import { onDraftsDeleted } from './drafts'

/** The keys of the requests whose response was lost. */
const lost = new Set<string>()
// A request of this user doesn't count as one of the next user.
onDraftsDeleted(() => lost.clear())

/**
 * Sends a request that deletes something, merges records, or takes them from the trash. The result is undefined if an
 * earlier request with the same key has done so, and only the response was lost. The key outlives the dialog, because the
 * user may close it and try again.
 */
export async function removeOnce<Result>(
  key: string,
  remove: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const result = await remove()
    lost.delete(key)
    return result
  } catch (thrown) {
    if (isGone(thrown) && lost.delete(key)) return undefined
    if (isUnanswered(thrown)) lost.add(key)
    else lost.delete(key)
    throw thrown
  }
}
