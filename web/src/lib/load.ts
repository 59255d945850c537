import { startTransition, useEffect, useState } from 'react'

/** How a promise settled, as a value. `isOffline`: it was rejected because the server is unreachable. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown; isOffline?: boolean }

export function settle<T>(work: Promise<T>): Promise<Outcome<T>> {
  return work.then(
    value => ({ ok: true, value }),
    error => ({ ok: false, error }),
  )
}

/**
 * Minimum time for which the placeholder of a first load is shown, because a short flash would disturb more than a
 * wait.
 */
const MIN_LOADING_MS = 250

const pause = (ms: number) => new Promise<void>(done => setTimeout(done, ms))

export type Loaded<O extends Outcome<unknown>> = {
  outcome: O | undefined
  /** A reload is in progress, and `outcome` is that of the load before. */
  stale: boolean
}

/**
 * Returns the outcome of a loader's promise; undefined during the first load. During a reload the previous outcome
 * remains.
 */
export function useLoaded<O extends Outcome<unknown>>(promise: Promise<O>): Loaded<O> {
  const [settled, setSettled] = useState<{ promise: Promise<O>; outcome: O }>()
  const isFirst = settled === undefined
  useEffect(() => {
    let isMounted = true
    void Promise.all([promise, isFirst && pause(MIN_LOADING_MS)]).then(([outcome]) => {
      // A transition, so that rendering a long list doesn't block typing.
      if (isMounted) startTransition(() => setSettled({ promise, outcome }))
    })
    return () => {
      isMounted = false
    }
  }, [promise, isFirst])
  return { outcome: settled?.outcome, stale: settled !== undefined && settled.promise !== promise }
}
