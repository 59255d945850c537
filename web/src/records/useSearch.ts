import { useCallback, useEffect, useState } from 'react'
import { useIsConnected } from '~/lib/connection'

/** Milliseconds after the last key press before the search starts. */
const DELAY_MS = 300
/** Shorter texts aren't searched, because a single letter matches almost every record. */
const MIN_LENGTH = 2

/** The state of a search: its result, or why there is none. `typing`: no search has started yet. */
type Search<R> = { state: 'none' | 'typing' | 'searching' | 'offline' } | { state: 'found'; result: R }

/**
 * Searches for `text` while the user types; pass undefined to search nothing. An outdated search is aborted. `find`
 * must not reject. Memoize it: a new function aborts a running search and starts it again.
 */
export function useSearch<R>(
  text: string | undefined,
  find: (text: string, signal: AbortSignal) => Promise<R>,
): { search: Search<R>; retry: () => void } {
  const isConnected = useIsConnected()
  // The text for which a search has been started, after `DELAY_MS`.
  const [begun, setBegun] = useState<string>()
  const [searched, setSearched] = useState<{ text: string; result: R }>()
  const wanted = text !== undefined && text.length >= MIN_LENGTH ? text : undefined
  const isCurrent = searched?.text === wanted
  useEffect(() => {
    if (wanted === undefined || isCurrent || !isConnected) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      setBegun(wanted)
      const result = await find(wanted, controller.signal)
      if (!controller.signal.aborted) setSearched({ text: wanted, result })
    }, DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [wanted, isCurrent, isConnected, find])
  const retry = useCallback(() => setSearched(undefined), [])
  if (wanted === undefined) return { search: { state: 'none' }, retry }
  if (searched && isCurrent) return { search: { state: 'found', result: searched.result }, retry }
  const state = !isConnected ? 'offline' : searched || begun === wanted ? 'searching' : 'typing'
  return { search: { state }, retry }
}
