import { useEffect, useEffectEvent } from 'react'
import type { ResourceId } from '~/core'
import { onLiveEvent } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import { useSession } from '~/lib/session'
import { runOnceSaved } from '~/ui/unsavedChanges'

/**
 * Requests a record again by `load` when another user may have changed it, as soon as the page has no unsaved input, and
 * passes it to `show`. If `show` returns false, because what the page shows is newer than the request, the record is
 * requested once more.
 */
export function useLiveRecord<T>(
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
    const update = () => {
      if (isWaiting) return
      isWaiting = true
      runOnceSaved(async () => {
        isWaiting = false
        if (!isMounted) return
        const newest = await request()
        // Unless the user has begun to type meanwhile.
        runOnceSaved(() => isMounted && !pass(newest) && update())
      })
    }
    const stop = onLiveEvent(event => concerns(event) && update())
    return () => {
      isMounted = false
      stop()
    }
  }, [])
}
