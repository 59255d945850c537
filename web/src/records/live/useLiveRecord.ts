import { useEffect, useEffectEvent, useReducer } from 'react'
import type { ResourceId } from '~/core'
import { isGone, isUnanswered } from '~/core/problem'
import { onLiveEvent, SETTLE_MS } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import type { Outcome } from '~/lib/load'
import { useSession } from '~/lib/session'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** How long after a failed request the record is requested again. */
const RETRY_MS = 15_000

/**
 * Requests a record again by `load` when it may have changed, as soon as the page has no unsaved input, and passes it to
 * `show`, or the error if it was deleted. If `show` returns false, because what the page shows is newer than the request,
 * the record is requested once more. After another error the page stays, and a request that can still succeed is repeated
 * later.
 */
export function useLiveRecord<T extends Outcome<unknown>>(
  resource: ResourceId,
  id: string,
  load: () => Promise<T>,
  show: (newest: T) => boolean,
) {
  const { profile } = useSession()
  /** Returns how long to wait after an event before the record is requested; undefined if it doesn't concern the record. */
  const delayOf = useEffectEvent((event: LiveEvent) => {
    if (event.type !== 'changed') return event.type === 'reload' ? 0 : undefined
    // An import changes no existing record.
    const concerns = event.resource === resource && (event.ids?.includes(id) ?? event.action !== 'imported')
    if (!concerns) return undefined
    // If this page makes the change, its response comes first: it shows the change, or leads away from a deleted record.
    return event.by === profile.id ? SETTLE_MS : 0
  })
  // The number of attempts so far. A new one ends the one before, whose response may lack the newest change.
  const [attempt, start] = useReducer((count: number) => count + 1, 0)
  useEffect(
    () =>
      onLiveEvent(event => {
        const delay = delayOf(event)
        if (delay !== undefined) setTimeout(start, delay)
      }),
    [],
  )
  const request = useEffectEvent(load)
  const pass = useEffectEvent(show)
  useEffect(() => {
    if (attempt === 0) return
    let isCurrent = true
    let retry: ReturnType<typeof setTimeout> | undefined
    runOnceSaved(async () => {
      if (!isCurrent) return
      const newest = await request()
      if (!isCurrent) return
      if (newest.ok || isGone(newest.error)) {
        // The user may have begun to type meanwhile.
        runOnceSaved(() => isCurrent && !pass(newest) && start())
      } else if (isUnanswered(newest.error)) {
        retry = setTimeout(start, RETRY_MS)
      }
    })
    return () => {
      isCurrent = false
      clearTimeout(retry)
    }
  }, [attempt])
}
