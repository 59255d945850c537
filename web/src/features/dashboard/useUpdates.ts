import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { onLiveEvent } from '~/lib/live'
import type { Outcome } from '~/lib/load'
import { isSame } from '~/lib/rebase'
import { onReturn } from '~/lib/returns'

/** How long changes of records are gathered before one request, at least and at most, in milliseconds. */
const MIN_GATHER_MS = 10_000
const MAX_GATHER_MS = 15_000

/** How long changes may wait for the pointer, in milliseconds. */
const MAX_WAIT_MS = 60_000

/** When the user returns to the page, data that is older than this is requested again (milliseconds). */
const MAX_AGE_MS = 60_000

/** Returns whether the pointer is on a chart or a link. After a tap, `:hover` may match without a pointer. */
const isPointing = () =>
  matchMedia('(hover: hover)').matches && document.querySelector('main :is(a, svg):hover') !== null

/** Random, so that not all users who see the same change send their requests at the same time. */
const gatherTime = () => MIN_GATHER_MS + Math.random() * (MAX_GATHER_MS - MIN_GATHER_MS)

/**
 * Returns `outcome`, or what `load` has found since: it is called after records have changed, and when the user returns
 * to the page. A request that fails changes nothing. While the pointer is on a chart or a link, changes wait for up to
 * about a minute, so that nothing moves under it.
 */
export function useUpdates<T>(outcome: Outcome<T> | undefined, load: () => Promise<Outcome<T>>) {
  const [update, setUpdate] = useState<{ since: Outcome<T> | undefined; outcome: Outcome<T> }>()
  const newest = update && update.since === outcome ? update.outcome : outcome
  const requestedAt = useRef(0)
  useEffect(() => {
    if (outcome) requestedAt.current = Date.now()
  }, [outcome])
  const request = useEffectEvent(async () => {
    requestedAt.current = Date.now()
    const found = await load()
    if (!found.ok || (newest?.ok && isSame(found.value, newest.value))) return
    setUpdate({ since: outcome, outcome: found })
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // When the first of the changes arrived that have not been requested.
    let changedAt: number | undefined
    const requestNow = () => {
      changedAt = undefined
      void request()
    }
    const requestIfSeen = () => {
      timer = undefined
      if (document.visibilityState !== 'visible') return
      const hasWaited = changedAt !== undefined && Date.now() - changedAt >= MAX_WAIT_MS
      if (isPointing() && !hasWaited) timer = setTimeout(requestIfSeen, gatherTime())
      else requestNow()
    }
    const stopEvents = onLiveEvent(({ type }) => {
      if (type !== 'changed' && type !== 'reload') return
      changedAt ??= Date.now()
      timer ??= setTimeout(requestIfSeen, gatherTime())
    })
    const stopReturns = onReturn(() => {
      if (timer !== undefined) return
      if (changedAt !== undefined || Date.now() - requestedAt.current >= MAX_AGE_MS) requestNow()
    })
    return () => {
      clearTimeout(timer)
      stopEvents()
      stopReturns()
    }
  }, [])
  return newest
}
