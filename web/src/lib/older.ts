import { useEffect, useRef, useState } from 'react'
import { messageOf } from '~/core/problem'
import { settle } from './load'

/** Loads older items of a list in steps, one request at a time. `failed` is the message for an error that has none. */
export function useOlder(failed: string) {
  const [isLoading, setLoading] = useState(false)
  const [error, setError] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const load = async <T>(request: (signal: AbortSignal) => Promise<T>, onLoaded: (older: T) => void) => {
    if (isLoading) return
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setLoading(true)
    setError(undefined)
    const outcome = await settle(request(signal))
    if (signal.aborted) return
    setLoading(false)
    if (outcome.ok) onLoaded(outcome.value)
    else setError(messageOf(outcome.error, failed))
  }
  return { isLoading, error, load }
}

/**
 * Returns the items followed by the older ones. A page of older items may contain known ones, because an item that was
 * added meanwhile has moved the others to later pages.
 */
export function appendOlder<T>(items: T[], older: T[], idOf: (item: T) => string): T[] {
  const ids = new Set(items.map(idOf))
  return [...items, ...older.filter(item => !ids.has(idOf(item)))]
}
