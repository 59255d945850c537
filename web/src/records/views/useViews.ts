import { useCallback, useRef } from 'react'
import { core, type View, type ViewInput } from '~/core'
import type { ListName } from '~/core/lists'
import { useRequest } from '~/lib/request'

const PATH = '/api/views'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`
const send = async (...request: Parameters<typeof core.sendJson>) =>
  ((await core.sendJson(...request)) as { data: View }).data

/**
 * Returns the saved views of a list, undefined until they have loaded, and functions that create, update and delete
 * views.
 */
export function useViews(list: ListName) {
  const request = useCallback(
    async (signal: AbortSignal) => {
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
  return {
    views: latest.current,
    isFailed: outcome?.ok === false,
    reload: retry,
    create: (form: ViewInput) => send('POST', PATH, form),
    update: (id: string, form: ViewInput) => send('PUT', pathOf(id), form),
    remove: (id: string) => core.sendJson('DELETE', pathOf(id), undefined),
  }
}

export type Views = ReturnType<typeof useViews>
