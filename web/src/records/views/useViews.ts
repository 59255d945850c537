import { useCallback, useEffect, useRef } from 'react'
import { core, type View, type ViewInput } from '~/core'
import type { ListName } from '~/core/lists'
import { useRequest } from '~/lib/request'
import { useSession } from '~/lib/session'
import { storedValue } from '~/lib/storedValue'

const PATH = '/api/views'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`
const send = async (...request: Parameters<typeof core.sendJson>) =>
  ((await core.sendJson(...request)) as { data: View }).data

/**
 * Returns the saved views of a list, undefined until they have loaded, and functions that create, update and delete
 * views. `isEmpty` is true if there are none; until they have loaded, if there were none when the list was last open.
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
  const { profile } = useSession()
  const wereThere = storedValue<boolean>('localStorage', `views ${profile.id} ${list}`)
  const hasViews = latest.current && latest.current.length > 0
  useEffect(() => {
    if (hasViews !== undefined) wereThere.save(hasViews)
  })
  return {
    views: latest.current,
    isEmpty: !(hasViews ?? wereThere.read()),
    isFailed: outcome?.ok === false,
    reload: retry,
    create: (form: ViewInput) => send('POST', PATH, form),
    update: (id: string, form: ViewInput) => send('PUT', pathOf(id), form),
    remove: (id: string) => core.sendJson('DELETE', pathOf(id), undefined),
  }
}

export type Views = ReturnType<typeof useViews>
