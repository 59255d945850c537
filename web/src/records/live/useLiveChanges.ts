import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { LiveChange } from '~/core'
import { type LiveEvent, onLiveEvent } from '~/lib/live'
import type { Loaded } from '~/lib/load'
import { useSession } from '~/lib/session'

/** How long a change by the user themselves waits: the tab that made it usually reloads its list. */
const OWN_MS = 2_000
/** How much later than such a reload the change may arrive. */
const LATE_MS = 500

type Received = {
  at: number
  /** Undefined if unknown. */
  records: number | undefined
}

/**
 * Counts the changes since a list was loaded that concern it. Returns 0 if there are none, and undefined if their number is
 * unknown.
 */
export function useLiveChanges(
  concerns: (change: LiveChange) => boolean,
  { outcome, stale }: Loaded<unknown>,
): number | undefined {
  const { profile } = useSession()
  const [changes, setChanges] = useState<readonly Received[]>([])
  /** When the last request of the list began, and when its response was shown. */
  const load = useRef({ began: 0, ended: 0 })
  useEffect(() => {
    if (stale) load.current.began = performance.now()
  }, [stale])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each outcome shows the changes before it.
  useEffect(() => {
    load.current.ended = performance.now()
    setChanges(all => all.filter(({ at }) => at > load.current.began))
  }, [outcome])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  const receive = useEffectEvent((event: LiveEvent) => {
    if (event.type === 'presence') return
    const isChange = event.type === 'changed'
    if (isChange && !concerns(event)) return
    const received = { at: performance.now(), records: isChange ? event.ids?.length : undefined }
    const add = () => setChanges(all => [...all, received])
    if (!isChange || event.by !== profile.id) return add()
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      if (load.current.ended < received.at - LATE_MS) add()
    }, OWN_MS)
    timers.current.add(timer)
  })
  useEffect(() => {
    const { current } = timers
    const stop = onLiveEvent(event => receive(event))
    return () => {
      stop()
      for (const timer of current) clearTimeout(timer)
    }
  }, [])
  return changes.reduce<number | undefined>(
    (sum, { records }) => (sum === undefined || records === undefined ? undefined : sum + records),
    0,
  )
}
