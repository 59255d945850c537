import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { core, type HistoryEntry, type Message, type RevertInput, type RevertResult } from '~/core'
import { messageIn, messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { useSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'

type Reply<T> = { message?: string; messages?: Message[]; data: T }

const send = async <T>({ history_id }: HistoryEntry, input: RevertInput) =>
  (await core.sendJson('POST', `/api/history/${history_id}/revert`, input)) as Reply<T>

/** Returns what undoing the entry would do, if fields that were changed again since are kept. */
const preview = async (entry: HistoryEntry) =>
  (await send<RevertResult>(entry, { dry_run: true, on_conflict: 'keep' })).data

/** How an entry is undone: what it would do, once that is known, and the requests. */
export function useEntryUndo(entry: HistoryEntry, onUndone: () => void) {
  const { resources } = useSession()
  const [found, setFound] = useState<RevertResult>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)

  const run = async (work: () => Promise<void>, failed: string) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (reason) {
      setError(messageOf(reason, failed))
      // What was changed in the meantime is part of a new preview.
      if (problemOf(reason)?.status === 409 && found) setFound(await preview(entry).catch(() => found))
    }
    setBusy(false)
  }

  return {
    mayUndo: core.mayUndo(resources, entry.resource, entry.action),
    /** What undoing would do; undefined until it is asked for. */
    found,
    isBusy,
    error,
    button,
    open: () => run(async () => setFound(await preview(entry)), t`Failed to find out what would be undone`),
    close: () => {
      setFound(undefined)
      setError(undefined)
      button.current?.focus()
    },
    /** Undoes the entry, with or without the fields that were changed again since. */
    confirm: (isComplete: boolean) =>
      run(async () => {
        const keep = found && found.kept.length > 0 ? 'keep' : 'refuse'
        const reply = await send(entry, { on_conflict: isComplete ? 'overwrite' : keep })
        const message = messageIn(reply)
        toast.success(message ? textOf(message) : t`The change was undone`)
        setFound(undefined)
        button.current?.focus()
        onUndone()
      }, t`Failed to undo the change`),
  }
}

export type EntryUndo = ReturnType<typeof useEntryUndo>
