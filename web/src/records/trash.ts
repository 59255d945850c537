import { t } from '@lingui/core/macro'
import { useRevalidator } from 'react-router'
import { core, type Message, type TrashCount, type TrashInput } from '~/core'
import { messageIn, messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import type { Undo } from '~/ui/toastQueue'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** The response to a request that takes records out of the trash. */
export type Taken = { message?: string; messages?: Message[]; data: TrashCount }

/** Restores records from the trash. It is rejected with 404 if the trash has none of them. */
export const restore = async (input: TrashInput) =>
  (await core.sendJson('POST', '/api/trash/restore', input)) as Taken

/** Deletes records from the trash, which can't be undone. It is rejected like `restore`. */
export const deletePermanently = async (input: TrashInput) =>
  (await core.sendJson('DELETE', '/api/trash', input)) as Taken

/** Returns whether the trash has none of the records: another user has restored or deleted them. */
export const isGone = (error: unknown) => problemOf(error)?.status === 404

/**
 * Returns a function that returns the `undo` of a deletion's toast. It reloads the page that is open by then, whether or
 * not the component is still mounted.
 */
export function useUndo() {
  const { revalidate } = useRevalidator()
  // Reloading a page discards what is typed into it.
  const reload = () => runOnceSaved(() => void revalidate())
  return (deleted: TrashInput): Undo =>
    async () => {
      try {
        const message = messageIn(await restore(deleted))
        reload()
        return { message: message ? textOf(message) : t`Restored`, isDone: true }
      } catch (error) {
        if (!isGone(error)) {
          return { message: messageOf(error, t`Failed to undo the deletion`), isDone: false, canRetry: true }
        }
        reload()
        const message = deleted.batch_id
          ? t`They are no longer in the trash.`
          : t`It is no longer in the trash.`
        return { message, isDone: false }
      }
    }
}
