import { startTransition, useEffect, useState } from 'react'

/** How a piece of work ended; it never rejects, so that a loader can hand it over before it is done. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown }

export function settle<T>(work: Promise<T>): Promise<Outcome<T>> {
  return work.then(
    value => ({ ok: true, value }),
    error => ({ ok: false, error }),
  )
}

/** A first load shows its skeleton at least this long, because a flash is worse than a wait. */
const LEAST_MS = 250

const pause = (ms: number) => new Promise<void>(done => setTimeout(done, ms))

export type Loaded<T> = {
  /** The last outcome; absent during the first load. */
  outcome: Outcome<T> | undefined
  /** Another one is on its way; what is shown is the old one. */
  stale: boolean
}

/** Follows what a loader hands over. While it loads anew, the old outcome stays in view. */
export function useLoaded<T>(coming: Promise<Outcome<T>>): Loaded<T> {
  const [shown, setShown] = useState<{ coming: Promise<Outcome<T>>; outcome: Outcome<T> }>()
  const isFirst = shown === undefined
  useEffect(() => {
    let live = true
    void Promise.all([coming, isFirst && pause(LEAST_MS)]).then(([outcome]) => {
      // In slices: a long list is no reason to keep somebody waiting who types.
      if (live) startTransition(() => setShown({ coming, outcome }))
    })
    return () => {
      live = false
    }
  }, [coming, isFirst])
  return { outcome: shown?.outcome, stale: shown !== undefined && shown.coming !== coming }
}
