import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { LiveChange } from '~/core'
import { onLiveEvent } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import type { Loaded } from '~/lib/load'
import { useSession } from '~/lib/session'

type Received = {
  at: number
  /** The number of changed records; undefined if unknown. */
  records: number | undefined
}

/**
 * Returns how many records of a list other users have changed since it was loaded: 0 for none, undefined if the number
 * is unknown.
 */
export function useLiveChanges(
  concerns: (change: LiveChange) => boolean,
  { outcome, stale }: Loaded<unknown>,
): number | undefined {
  const { profile } = useSession()
  const [changes, setChanges] = useState<readonly Received[]>([])
  /** The time at which the last request of the list began, by `performance.now()`. */
  const began = useRef(0)
  useEffect(() => {
    if (stale) began.current = performance.now()
  }, [stale])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new outcome contains the changes before its request.
  useEffect(() => {
    setChanges(all => all.filter(({ at }) => at > began.current))
  }, [outcome])
  const receive = useEffectEvent((event: LiveEvent) => {
    if (event.type === 'presence') return
    const isChange = event.type === 'changed'
    // The user's own changes do not count (docs/product.md 4.24): the tab that made one loads its list again,
    // and an import shows its own progress.
    if (isChange && (event.by === profile.id || !concerns(event))) return
    const received = { at: performance.now(), records: isChange ? event.ids?.length : undefined }
    setChanges(all => [...all, received])
  })
  useEffect(() => onLiveEvent(event => receive(event)), [])
  return changes.reduce<number | undefined>(
    (sum, { records }) => (sum === undefined || records === undefined ? undefined : sum + records),
    0,
  )
}
