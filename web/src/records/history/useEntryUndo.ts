import { plural, t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import {
  core,
  type HistoryDetail,
  type HistoryEntry,
  type ResourceId,
  type RevertInput,
  type RevertProgress,
  type RevertResult,
  type RevertStarted,
} from '~/core'
import { isConflict, messageOf, type Reply, textIn } from '~/core/problem'
import { noteOwnChange } from '~/lib/live'
import { useSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** Milliseconds between requests for the progress of an undo that continues on the server after its response. */
const POLL = 1_000
/** After this number of failed requests in a row, the progress counts as unknown. */
const TRIES = 10

/** The part of an entry that `useEntryUndo` needs. */
type UndoableEntry = Pick<HistoryEntry, 'history_id' | 'resource' | 'action' | 'undo' | 'undoing_id'>

const send = async <T>({ history_id }: UndoableEntry, input: RevertInput) =>
  (await core.sendJson('POST', `/api/history/${history_id}/revert`, input)) as Reply & { data: T }

/** Returns what undoing the entry would do if fields that were changed again after it keep their values. */
const requestPreview = async (entry: UndoableEntry) =>
  (await send<RevertResult>(entry, { dry_run: true, on_conflict: 'keep' })).data

/** Returns the progress of the undo whose history entry has this id. */
async function requestProgress(id: string, signal: AbortSignal) {
  const { data } = (await core.sendJson('GET', `/api/history/${id}`, undefined, signal)) as {
    data: HistoryDetail
  }
  return data.progress
}

/** Waits until the undo whose history entry has this id has ended, and returns its last progress. */
async function watch(id: string, signal: AbortSignal, onProgress: (now: RevertProgress | undefined) => void) {
  for (let failures = 0; ; ) {
    try {
      const now = (await requestProgress(id, signal)) ?? undefined
      signal.throwIfAborted()
      failures = 0
      // The page shows the progress, so the list need not offer it.
      noteOwnChange()
      onProgress(now)
      if (now?.state !== 'running') return now
    } catch (reason) {
      failures += 1
      if (signal.aborted || failures === TRIES) throw reason
    }
    await new Promise(resolve => setTimeout(resolve, POLL))
  }
}

/** Returns the preview of undoing an entry, and functions that request the preview and undo the entry. */
export function useEntryUndo(entry: UndoableEntry) {
  const { resources } = useSession()
  const { revalidate } = useRevalidator()
  const [preview, setPreview] = useState<RevertResult>()
  const [isRequesting, setRequesting] = useState(false)
  // The id of an undo that the user started here and that continues on the server after its response.
  const [started, setStarted] = useState<string>()
  const isBusy = isRequesting || started !== undefined
  const [error, setError] = useState<string>()
  const [progress, setProgress] = useState<RevertProgress>()
  const button = useRef<HTMLButtonElement>(null)
  const { history_id, resource, action, undo, undoing_id } = entry
  const mayUndo = useMemo(
    // The cast is safe, here and below: an entry with `undo` or `undoing_id` is about a resource that core knows.
    () => undo != null && core.may(resources, resource as ResourceId, undo),
    [resources, resource, undo],
  )

  const run = async (work: () => Promise<void>, failed: string) => {
    if (isBusy) return
    setRequesting(true)
    setError(undefined)
    try {
      await work()
    } catch (reason) {
      setError(messageOf(reason, failed))
      // The records have changed since the preview, so a new preview is requested.
      if (isConflict(reason) && preview) {
        setPreview(await requestPreview(entry).catch(() => preview))
      }
    }
    setRequesting(false)
  }

  /** Closes the preview, and moves the focus from it to its button. */
  const closePreview = () => {
    const panel = document.activeElement?.closest<HTMLElement>('section[data-undo]')
    setPreview(undefined)
    if (panel?.dataset.undo === history_id) button.current?.focus()
  }

  /** Shows the message, closes the preview, and reloads the page's data. */
  const finish = (message: string | undefined) => {
    if (message) toast.success(message)
    closePreview()
    // Waits for unsaved changes, because reloading the page's data would discard them.
    runOnceSaved(() => void revalidate())
  }

  const mayWatch = undoing_id !== undefined && core.may(resources, resource as ResourceId, 'read')
  const watched = started ?? (mayWatch ? undoing_id : undefined)
  const onProgress = useEffectEvent((now: RevertProgress | undefined) => {
    setProgress(now)
    closePreview()
  })
  const onEnd = useEffectEvent((last: RevertProgress | undefined) => {
    setStarted(undefined)
    setProgress(undefined)
    // The entry of the undo itself leaves the message to the entry that is undone.
    finish(undoing_id === history_id ? undefined : doneText(action, last))
  })
  const onLost = useEffectEvent((reason: unknown) => {
    setStarted(undefined)
    setProgress(undefined)
    const sentence = t`Undoing continues on the server, but its progress is not known.`
    setError(`${sentence} ${messageOf(reason, '')}`.trim())
  })
  useEffect(() => {
    if (!watched) return
    const abort = new AbortController()
    const { signal } = abort
    watch(watched, signal, now => onProgress(now)).then(
      last => signal.aborted || onEnd(last),
      reason => signal.aborted || onLost(reason),
    )
    return () => {
      abort.abort()
      setProgress(undefined)
    }
  }, [watched])

  const failedToUndo = action === 'deleted' ? t`Failed to restore` : t`Failed to undo the change`
  return {
    mayUndo: mayUndo && !progress,
    /** What undoing the entry would do; undefined until the user opens the preview, and once there is progress. */
    preview,
    isBusy,
    /** The progress of an undo that continues on the server after its response; otherwise undefined. */
    progress,
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
    /**
     * Undoes the entry, then reloads the page's data. `shouldOverwrite`: also fields that were changed again after it.
     */
    confirm: (shouldOverwrite: boolean) =>
      run(async () => {
        const present = await requestPreview(entry)
        if (JSON.stringify(present) !== JSON.stringify(preview)) {
          setPreview(present)
          // Otherwise the preview itself says that nothing is left to undo.
          if (present.reverted > 0 || present.kept.length > 0) {
            setError(t`It was changed in the meantime. Check what would be undone.`)
          }
          return
        }
        const keep = present.kept.length > 0 ? 'keep' : 'refuse'
        const reply = await send<Partial<RevertStarted & RevertResult>>(entry, {
          on_conflict: shouldOverwrite ? 'overwrite' : keep,
        })
        if (reply.data.batch_id) {
          setStarted(reply.data.batch_id)
          return
        }
        // The server's message doesn't say how many contacts of an import stay.
        const done = doneText(action, reply.data)
        finish(action === 'imported' ? done : textIn(reply, done))
      }, failedToUndo),
  }
}

type Outcome = Partial<Pick<RevertResult, 'reverted' | 'kept_count'>>

function doneText(action: string, { reverted, kept_count = 0 }: Outcome = {}): string {
  if (action === 'deleted') return restoredText(kept_count)
  if (action !== 'imported') return t`The change was undone`
  if (reverted === undefined) return t`The import was undone`
  if (kept_count === 0) {
    return plural(reverted, {
      one: 'The import was undone. # contact went to the trash, none stays.',
      other: 'The import was undone. # contacts went to the trash, none stays.',
    })
  }
  return t`The import was undone. ${plural(reverted, {
    one: '# contact went to the trash',
    other: '# contacts went to the trash',
  })}, ${plural(kept_count, {
    one: '# stays',
    other: '# stay',
  })}.`
}

/** `left` is the number of records that could not be restored, because the values of one are another record's now. */
function restoredText(left: number): string {
  if (left === 0) return t`The records were restored`
  return plural(left, {
    one: '# record stays in the trash because another one now has its VIN or registration number. The others were restored.',
    other:
      '# records stay in the trash because other records now have their VINs or registration numbers. The others were restored.',
  })
}

export type EntryUndo = ReturnType<typeof useEntryUndo>
