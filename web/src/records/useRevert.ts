import { plural } from '@lingui/core/macro'
import { useRevalidator } from 'react-router'
import { core, type RevertResult } from '~/core'
import { isConflict, messageOf, type Reply, textIn } from '~/core/problem'
import type { Undo } from '~/ui/toastQueue'
import { runOnceSaved } from '~/ui/unsavedChanges'

type Reverted = Reply & { data?: Partial<RevertResult> }

/**
 * Returns a function that returns the `undo` of a toast about a change: it undoes the history entry with this id, and
 * then reloads the data of the page that is open. `done` and `failed` are its messages if the server's response has
 * none. `on_conflict: 'keep'` undoes the change also if some values were changed again since, and keeps these.
 */
export function useRevert(done: string, failed: string, on_conflict?: 'keep') {
  const { revalidate } = useRevalidator()
  return (entry: string): Undo =>
    async () => {
      try {
        const reply = (await core.sendJson('POST', `/api/history/${entry}/revert`, {
          on_conflict,
        })) as Reverted
        // Waits for unsaved changes, because reloading the page's data would discard them.
        runOnceSaved(() => void revalidate())
        const { refused = [], kept_count = 0 } = reply.data ?? {}
        const parts = [textIn(reply, done), refusedText(refused.length), keptText(kept_count)]
        return { message: parts.filter(Boolean).join('. '), isDone: true }
      } catch (error) {
        return { message: messageOf(error, failed), isDone: false, canRetry: !isConflict(error) }
      }
    }
}

/** Says how many records keep their new values, because the rules don't allow the old ones any more. */
const refusedText = (count: number) =>
  count > 0 && plural(count, { one: "# record can't be undone.", other: "# records can't be undone." })

/** Says how many records keep what was changed again since. */
const keptText = (count: number) =>
  count > 0 &&
  plural(count, {
    one: '# record has been changed again and keeps these changes.',
    other: '# records have been changed again and keep these changes.',
  })
