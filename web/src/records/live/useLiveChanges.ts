import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { LiveChange } from '~/core'
import { isNotedChange, onLiveEvent, SETTLE_MS } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import type { Loaded, Outcome } from '~/lib/load'
import { isSame } from '~/lib/rebase'
import { useSession } from '~/lib/session'

type Received = {
  at: number
  /** The number of changed records; undefined if unknown. */
  records: number | undefined
}

/**
 * Returns how many records of a list have changed since it was loaded: 0 for none, undefined if the number is unknown. The
 * user's own changes count only if they were made by an import, in another tab or on another device. After lost events,
 * `load` requests the list again, to find out whether it has changed; without `load` it counts as changed.
 */
export function useLiveChanges<T>(
  concerns: (change: LiveChange) => boolean,
  { outcome, stale }: Loaded<Outcome<T>>,
  load: (() => Promise<Outcome<T>>) | undefined,
): number | undefined {
  const { profile } = useSession()
  const [changes, setChanges] = useState<readonly Received[]>([])
  /** The time at which the last request of the list began, by `performance.now()`. */
  const began = useRef(performance.now())
  useEffect(() => {
    if (stale) began.current = performance.now()
  }, [stale])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new outcome contains the changes before its request.
  useEffect(() => {
    setChanges(all => all.filter(({ at }) => at > began.current))
  }, [outcome])
  const add = (received: Received) => setChanges(all => [...all, received])
  const receive = useEffectEvent(async (event: LiveEvent) => {
    const at = performance.now()
    if (event.type === 'changed' && concerns(event)) {
      // An import runs on the server, so no list is loaded again after its changes.
      if (event.by === profile.id && event.action !== 'imported') {
        // After a change that is made here, the list is loaded again, before this event or shortly after it.
        await new Promise(done => setTimeout(done, SETTLE_MS))
        if (at - began.current <= SETTLE_MS || isNotedChange(at)) return
      }
      add({ at, records: event.ids?.length })
    }
    if (event.type !== 'reload') return
    const newest = await load?.()
    if (newest?.ok && outcome?.ok && isSame(newest.value, outcome.value)) return
    // Unless the list has been loaded again meanwhile.
    if (at > began.current) add({ at, records: undefined })
  })
  useEffect(() => onLiveEvent(event => void receive(event)), [])
  return changes.reduce<number | undefined>(
    (sum, { records }) => (sum === undefined || records === undefined ? undefined : sum + records),
    0,
  )
}
