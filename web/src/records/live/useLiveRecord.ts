import { useEffect, useEffectEvent } from 'react'
import type { ResourceId } from '~/core'
import { isGone, isUnanswered } from '~/core/problem'
import { onLiveEvent } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import type { Outcome } from '~/lib/load'
import { useSession } from '~/lib/session'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** How long after a failed request the record is requested again. */
const RETRY_MS = 15_000

/**
 * Requests a record again by `load` when another user may have changed it, as soon as the page has no unsaved input, and
 * passes it to `show`, or the error if it was deleted. If `show` returns false, because what the page shows is newer than
 * the request, the record is requested once more. After another error the page stays, and a request that can still succeed
 * is repeated later.
 */
export function useLiveRecord<T extends Outcome<unknown>>(
  resource: ResourceId,
  id: string,
  load: () => Promise<T>,
  show: (newest: T) => boolean,
) {
  const { profile } = useSession()
  const request = useEffectEvent(load)
  const pass = useEffectEvent(show)
  const concerns = useEffectEvent((event: LiveEvent) => {
    if (event.type !== 'changed') return event.type === 'reload'
    // The page that made a change shows it already (docs/product.md 4.24).
    if (event.resource !== resource || event.by === profile.id) return false
    // An import changes no existing record.
    return event.ids?.includes(id) ?? event.action !== 'imported'
  })
  useEffect(() => {
    let isMounted = true
    let isWaiting = false
    let retry: ReturnType<typeof setTimeout> | undefined
    const update = () => {
      if (isWaiting) return
      isWaiting = true
      runOnceSaved(async () => {
        isWaiting = false
        if (!isMounted) return
        clearTimeout(retry)
        const newest = await request()
        if (!isMounted) return
        if (!newest.ok && !isGone(newest.error)) {
          clearTimeout(retry)
          if (isUnanswered(newest.error)) retry = setTimeout(update, RETRY_MS)
          return
        }
        // Unless the user has begun to type meanwhile.
        runOnceSaved(() => isMounted && !pass(newest) && update())
      })
    }
    const stop = onLiveEvent(event => concerns(event) && update())
    return () => {
      isMounted = false
      clearTimeout(retry)
      stop()
    }
  }, [])
}
