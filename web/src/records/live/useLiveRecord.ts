import { useEffect, useEffectEvent } from 'react'
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
 * the record is requested once more, as it is if it may have changed during the request. After another error the page
 * stays, and a request that can still succeed is repeated later.
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
  const request = useEffectEvent(load)
  const pass = useEffectEvent(show)
  useEffect(() => {
    let isMounted = true
    // Whether an attempt waits or runs, and whether the record may have changed since it sent its request.
    let isBusy = false
    let isOutdated = false
    let attempts = 0
    let retry: ReturnType<typeof setTimeout> | undefined
    const end = (isAgain: boolean) => {
      isBusy = false
      if (isAgain || isOutdated) start()
    }
    const start = () => {
      if (!isMounted) return
      // Many events, such as those of a large import, lead to one more attempt and don't delay this one.
      isOutdated = true
      if (isBusy) return
      isBusy = true
      clearTimeout(retry)
      const attempt = ++attempts
      const isCurrent = () => isMounted && attempt === attempts
      runOnceSaved(async () => {
        if (!isCurrent()) return
        isOutdated = false
        const newest = await request()
        if (!isCurrent()) return
        if (newest.ok || isGone(newest.error)) {
          // The user may have begun to type meanwhile.
          runOnceSaved(() => isCurrent() && end(!pass(newest)))
          return
        }
        if (isUnanswered(newest.error)) retry = setTimeout(start, RETRY_MS)
        end(false)
      })
    }
    const stop = onLiveEvent(event => {
      const delay = delayOf(event)
      if (delay === undefined) return
      // The connection was lost, so a request that runs may never get a response.
      if (event.type === 'reload') isBusy = false
      setTimeout(start, delay)
    })
    return () => {
      isMounted = false
      clearTimeout(retry)
      stop()
    }
  }, [])
}
