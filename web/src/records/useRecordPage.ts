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
  /** The data of the record's loader. */
  promise: Promise<Outcome<R>>
  source: RecordSource<Listed, Q>
}

/** Returns the state of a record's page and its dialogs. */
export function useRecordPage<R, Listed, Q extends ListQuery>({
  route,
  id,
  promise,
  source,
}: Settings<R, Listed, Q>) {
  const { outcome } = useLoaded(promise)
  // The response to a change is newer than the outcome that was loaded before it.
  const [changed, setChanged] = useState<{ after: typeof outcome; record: R }>()
  const loaded = outcome?.ok ? outcome.value : undefined
  const list = useOriginList() ?? route
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const afterDeletion: AfterDeletion = { afterDeletion: true }
  return {
    ...useDialogs<R>(
      // After an input on the page, such as a comment, has been saved or discarded.
      () => runOnceSaved(() => void revalidate()),
      // Replaces the deleted record in the history.
      () => void navigate(list, { replace: true, state: afterDeletion }),
    ),
    outcome,
    record: changed?.after === outcome ? changed?.record : loaded,
    /** Shows the record as a response to a change returned it. */
    setRecord: (record: R) => setChanged({ after: outcome, record }),
    /** The URL of the list that the user came from. */
    list,
    /** The user's permissions on the records. */
    may: usePermissions(route),
    neighbors: useNeighbors(source, id),
  }
}
