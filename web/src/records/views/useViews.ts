import { useCallback, useEffect, useRef } from 'react'
import { core, type View, type ViewInput } from '~/core'
import type { ListName } from '~/core/lists'
import { isConflict } from '~/core/problem'
import { onDraftsDeleted } from '~/lib/drafts'
import { useRequest } from '~/lib/request'

const PATH = '/api/views'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`
const send = async (...request: Parameters<typeof core.sendJson>) =>
  ((await core.sendJson(...request)) as { data: View }).data

/** The views loaded last in this tab, by list. They belong to one user, like drafts. */
const lastLoaded = new Map<ListName, View[]>()
onDraftsDeleted(() => lastLoaded.clear())

/**
 * Returns the saved views of a list, undefined until they have loaded, and functions that create, update and delete
 * views. If they fail to load, the views loaded last are returned, if there are any.
 */
export function useViews(list: ListName) {
  const request = useCallback(
    async (signal?: AbortSignal) => {
      const { data } = (await core.sendJson('GET', `${PATH}?resource=${list}`, undefined, signal)) as {
        data: View[]
      }
      return data
    },
    [list],
  )
  const { outcome, retry } = useRequest(request)
  // The views loaded last, which are still returned while they are loaded again.
  const latest = useRef<View[]>(undefined)
  if (outcome?.ok) latest.current = outcome.value
  useEffect(() => {
    if (outcome?.ok) lastLoaded.set(list, outcome.value)
  }, [list, outcome])
  const update = async (id: string, form: ViewInput) => {
    try {
      return await send('PUT', pathOf(id), form)
    } catch (error) {
      // Another user has changed the view. The next attempt needs its new version.
      if (isConflict(error)) retry()
      throw error
    }
  }
  return {
    views: latest.current ?? (outcome?.ok === false ? lastLoaded.get(list) : undefined),
    isFailed: outcome?.ok === false,
    reload: retry,
    /** Requests the views, without a change of `views`. */
    request,
    create: (form: ViewInput) => send('POST', PATH, form),
    update,
    remove: (id: string) => core.sendJson('DELETE', pathOf(id), undefined),
  }
}

export type Views = ReturnType<typeof useViews>
