import { t } from '@lingui/core/macro'
import { useMemo, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import {
  core,
  type HistoryEntry,
  type Message,
  type ResourceId,
  type RevertInput,
  type RevertResult,
} from '~/core'
import { messageIn, messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { useSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { runOnceSaved } from '~/ui/unsavedChanges'

type Reply<T> = { message?: string; messages?: Message[]; data: T }

const send = async <T>({ history_id }: HistoryEntry, input: RevertInput) =>
  (await core.sendJson('POST', `/api/history/${history_id}/revert`, input)) as Reply<T>

/** Returns what undoing the entry would do, if fields that were changed again since are kept. */
const requestPreview = async (entry: HistoryEntry) =>
  (await send<RevertResult>(entry, { dry_run: true, on_conflict: 'keep' })).data

/** How an entry is undone: what it would do, once that is known, and the requests. Then the open page reloads. */
export function useEntryUndo(entry: HistoryEntry) {
  const { resources } = useSession()
  const { revalidate } = useRevalidator()
  const [preview, setPreview] = useState<RevertResult>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const { resource, action, undo } = entry
  const mayUndo = useMemo(
    // The server names a permission only for lists whose ids the bindings have, too.
    () => undo != null && core.may(resources, resource as ResourceId, undo),
    [resources, resource, undo],
  )

  const run = async (work: () => Promise<void>, failed: string) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (reason) {
      setError(messageOf(reason, failed))
      // What was changed in the meantime is part of a new preview.
      if (problemOf(reason)?.status === 409 && preview) {
        setPreview(await requestPreview(entry).catch(() => preview))
      }
    }
    setBusy(false)
  }

  const failedToUndo = action === 'deleted' ? t`Failed to restore` : t`Failed to undo the change`
  return {
    mayUndo,
    /** What undoing would do; undefined until it is asked for. */
    preview,
    isBusy,
    error,
    button,
    open: () =>
      run(async () => setPreview(await requestPreview(entry)), t`Failed to find out what would be undone`),
    close: () => {
      if (isBusy) return
      setPreview(undefined)
      setError(undefined)
      button.current?.focus()
    },
    /** Undoes the entry, with or without the fields that were changed again since. */
    confirm: (shouldOverwrite: boolean) =>
      run(async () => {
        const present = await requestPreview(entry)
        if (JSON.stringify(present) !== JSON.stringify(preview)) {
          setPreview(present)
          setError(t`It was changed in the meantime. Check what would be undone.`)
          return
        }
        const keep = present.kept.length > 0 ? 'keep' : 'refuse'
        const reply = await send(entry, { on_conflict: shouldOverwrite ? 'overwrite' : keep })
        const message = messageIn(reply)
        toast.success(message ? textOf(message) : t`The change was undone`)
        const hadFocus = document.activeElement?.closest('section[data-undo]') != null
        setPreview(undefined)
        if (hadFocus) button.current?.focus()
        // Reloading a page discards what is typed into it.
        runOnceSaved(() => void revalidate())
      }, failedToUndo),
  }
}

export type EntryUndo = ReturnType<typeof useEntryUndo>
