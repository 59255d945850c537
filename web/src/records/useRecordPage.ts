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

/** Returns the record of an outcome; undefined while it is loading, and after an error. */
const recordOf = <T>(outcome: Outcome<T> | undefined) => (outcome?.ok ? outcome.value : undefined)

/**
 * Returns the state of a record's page: the record, its neighbors, the user's permissions, and the open dialog. The
 * page's route is the one that `recordRoute` returns.
 */
export function useRecordPage<L extends keyof Records, Q extends ListQuery, R>(kind: RecordKind<L, Q, R>) {
  const { id = '' } = useParams()
  const { promise, load } = useLoaderData<RecordData<Shown<L, R>>>()
  const { outcome: loaded } = useLoaded(promise)
  // The record after the last change, from the response if it was made on this page, else requested again.
  const [changed, setChanged] = useState<RequestedRecord<Shown<L, R>>>()
  // What was requested before the change may lack it, also if it arrives later.
  const shown = changed && loaded && loaded.requestedAt < changed.requestedAt ? changed : loaded
  const [updates, setUpdates] = useState(0)
  const list = useOriginList() ?? kind.route
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  // Waits until unsaved input on the page, such as a comment, has been saved or discarded.
  const reload = () => runOnceSaved(() => void revalidate())
  // A response that arrives outdated isn't shown, so the record is requested again. It is an effect event, because
  // nothing is requested when a change follows a response.
  const reloadIfOutdated = useEffectEvent(() => shown !== loaded && reload())
  useEffect(() => {
    if (loaded) reloadIfOutdated()
  }, [loaded])
  const showNewer = (newest: RequestedRecord<Shown<L, R>>) => {
    if (shown && newest.requestedAt < shown.requestedAt) return false
    // The same record is neither announced nor set, because a new object makes cards load what belongs to it.
    if (!isSame(recordOf(newest), recordOf(shown))) {
      setChanged(newest)
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
    outcome: shown,
    record: recordOf(shown),
    /** Shows the record that the response to a change contains, as if it had been requested when that arrived. */
    setRecord: (record: Shown<L, R>) =>
      setChanged({ ok: true, value: record, requestedAt: performance.now() }),
    /** How often the page has shown a change that was made elsewhere, each of which screen readers announce. */
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
