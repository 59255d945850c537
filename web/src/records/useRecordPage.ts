import { useEffect, useEffectEvent, useState } from 'react'
import { useLoaderData, useNavigate, useParams, useRevalidator } from 'react-router'
import type { Records } from '~/core'
import type { AfterDeletion } from '~/lib/deletion'
import { useHasDraft } from '~/lib/drafts'
import { type Outcome, useLoaded } from '~/lib/load'
import type { ListQuery } from '~/lib/query'
import { isSame } from '~/lib/rebase'
import { usePermissions } from '~/lib/session'
import { type Discarding, runOnceSaved } from '~/ui/unsavedChanges'
import type { RecordKind, Shown } from './kind'
import { useLiveRecord } from './live/useLiveRecord'
import type { RecordData, RequestedRecord } from './loaders'
import { useOriginList } from './RecordLink'
import { useDialogs } from './useDialogs'
import { useNeighbors } from './useNeighbors'

/**
 * Returns the state of a record's page: the record, its neighbors, the user's permissions, and the open dialog. The
 * page's route is the one that `recordRoute` returns.
 */
export function useRecordPage<L extends keyof Records, Q extends ListQuery, R>(kind: RecordKind<L, Q, R>) {
  const { id = '' } = useParams()
  const { promise, load } = useLoaderData<RecordData<Shown<L, R>>>()
  const { outcome: loaded } = useLoaded(promise)
  // The record after a change, and a time by `performance.now()`: when the response to the user's own change arrived, or
  // when the record was requested again after another user's change.
  const [changed, setChanged] = useState<{ at: number; outcome: Outcome<Shown<L, R>> }>()
  // A response that was requested before the change may lack it, also if it arrives later.
  const isOutdated = changed !== undefined && loaded !== undefined && loaded.requestedAt < changed.at
  const outcome: Outcome<Shown<L, R>> | undefined = isOutdated ? changed.outcome : loaded
  const [updates, setUpdates] = useState(0)
  const list = useOriginList() ?? kind.route
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  // Waits until unsaved input on the page, such as a comment, has been saved or discarded.
  const reload = () => runOnceSaved(() => void revalidate())
  // A response that arrives outdated isn't shown, so the record is requested again.
  const reloadIfOutdated = useEffectEvent(() => isOutdated && reload())
  useEffect(() => {
    if (loaded) reloadIfOutdated()
  }, [loaded])
  const showNewer = (newest: RequestedRecord<Shown<L, R>>) => {
    const shownAt = Math.max(loaded?.requestedAt ?? 0, changed?.at ?? 0)
    if (newest.requestedAt < shownAt) return false
    const isNews = newest.ok ? !(outcome?.ok && isSame(newest.value, outcome.value)) : outcome?.ok
    if (isNews) {
      setChanged({ at: newest.requestedAt, outcome: newest })
      setUpdates(count => count + 1)
    }
    return true
  }
  useLiveRecord(kind.resource, id, load, showNewer)
  const afterDeletion: AfterDeletion & Discarding = { afterDeletion: true, discardsChanges: true }
  return {
    kind,
    ...useDialogs<Shown<L, R>>(
      reload,
      // `replace`, so that Back doesn't lead to the deleted record.
      () => void navigate(list, { replace: true, state: afterDeletion }),
    ),
    outcome,
    record: outcome?.ok ? outcome.value : undefined,
    /** Shows the record that the response to a change contains. */
    setRecord: (record: Shown<L, R>) =>
      setChanged({ at: performance.now(), outcome: { ok: true, value: record } }),
    /** How often the page has shown a change of another user. */
    updates,
    /** The URL of the list that the user came from; by default that of the list's page. */
    list,
    /** The user's permissions on the records. */
    may: usePermissions(kind.route),
    neighbors: useNeighbors(kind, id),
    /** Whether the form that edits the record has a draft. */
    hasDraft: useHasDraft(kind.draftOf(id)),
  }
}

export type RecordPageState<L extends keyof Records, Q extends ListQuery, R> = ReturnType<
  typeof useRecordPage<L, Q, R>
>
