import { t } from '@lingui/core/macro'
import { useRevalidator } from 'react-router'
import { core, type TrashCount, type TrashInput } from '~/core'
import { isGone, messageOf, type Reply, textIn } from '~/core/problem'
import { removeOnce } from '~/lib/removal'
import type { Undo } from '~/ui/toastQueue'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** The response to a request that restores records from the trash, or deletes them permanently. */
export type Taken = Reply & { data: TrashCount }

/** Restores records from the trash. Rejects with 404 if the trash has none of them. */
export const restore = async (input: TrashInput) =>
  (await core.sendJson('POST', '/api/trash/restore', input)) as Taken

/** Deletes records from the trash permanently. Rejects with 404 if the trash has none of them. */
export const deletePermanently = async (input: TrashInput) =>
  (await core.sendJson('DELETE', '/api/trash', input)) as Taken

/**
 * Returns a function that returns the `undo` of a deletion's toast. `undo` restores the records and reloads the data of
 * the page that is then open, even if this hook's component is no longer mounted.
 */
export function useUndo() {
  const { revalidate } = useRevalidator()
  // Waits for unsaved changes, because reloading the page's data would discard them.
  const reload = () => runOnceSaved(() => void revalidate())
  return (deleted: TrashInput): Undo =>
    async () => {
      try {
        const restored = await removeOnce(`restore ${JSON.stringify(deleted)}`, () => restore(deleted))
        reload()
        return { message: textIn(restored, t`Restored`), isDone: true }
      } catch (error) {
        if (!isGone(error)) {
          return { message: messageOf(error, t`Failed to undo the deletion`), isDone: false, canRetry: true }
        }
        // Another user has restored or deleted them, so the page may show what is no longer true.
        reload()
        const message = deleted.batch_id
          ? t`They are no longer in the trash.`
          : t`It is no longer in the trash.`
        return { message, isDone: false }
      }
    }
}
