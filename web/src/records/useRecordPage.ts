import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { AfterDeletion } from '~/lib/deletion'
import { type Outcome, useLoaded } from '~/lib/load'
import type { ListQuery } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { useOriginList } from './RecordLink'
import { useDialogs } from './useDialogs'
import { type RecordSource, useNeighbors } from './useNeighbors'

type Settings<R, Listed, Q extends ListQuery> = {
  /** The path of the list's page in the app. */
  route: string
  id: string
  /** The promise that the loader of the record's route has returned. */
  promise: Promise<Outcome<R>>
  source: RecordSource<Listed, Q>
}

/** Returns the state of a record's page: the record, its neighbors, the user's permissions, and the open dialog. */
export function useRecordPage<R, Listed, Q extends ListQuery>({
  route,
  id,
  promise,
  source,
}: Settings<R, Listed, Q>) {
  const { outcome } = useLoaded(promise)
  // The record from the response to a change. It is newer than `after`, the outcome that had been loaded before.
  const [changed, setChanged] = useState<{ after: typeof outcome; record: R }>()
  const loaded = outcome?.ok ? outcome.value : undefined
  const list = useOriginList() ?? route
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const afterDeletion: AfterDeletion = { afterDeletion: true }
  return {
    ...useDialogs<R>(
      // Waits until unsaved input on the page, such as a comment, has been saved or discarded.
      () => runOnceSaved(() => void revalidate()),
      // `replace`, so that Back doesn't lead to the deleted record.
      () => void navigate(list, { replace: true, state: afterDeletion }),
    ),
    outcome,
    record: changed?.after === outcome ? changed?.record : loaded,
    /** Shows the record that the response to a change contains. */
    setRecord: (record: R) => setChanged({ after: outcome, record }),
    /** The URL of the list that the user came from; by default that of the list's page. */
    list,
    /** The user's permissions on the records. */
    may: usePermissions(route),
    neighbors: useNeighbors(source, id),
  }
}
