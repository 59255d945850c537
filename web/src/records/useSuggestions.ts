import { useCallback, useEffect, useState } from 'react'
import { useIsConnected } from '~/lib/connection'
import { type Outcome, settle } from '~/lib/load'

/** Delay after the last key before the search starts. */
const DELAY_MS = 300
/** A single letter matches almost everything. */
const MIN_LENGTH = 2

/** A page of suggestions, and the number of all matches. */
export type Found<S> = { found: S[]; total: number }

/** The suggestions for a text, or why there are none. */
export type Suggestions<S> =
  | { state: 'none' | 'searching' | 'offline' }
  | ({ state: 'found' } & Found<S>)
  | { state: 'failed'; error: unknown }

/**
 * Searches suggestions while typing; `text` is undefined while none are wanted. An outdated search is aborted. Memoize
 * `find`: a new function aborts a running search and starts it again.
 */
export function useSuggestions<S>(
  text: string | undefined,
  find: (text: string, signal: AbortSignal) => Promise<Found<S>>,
): { suggestions: Suggestions<S>; retry: () => void } {
  const isConnected = useIsConnected()
  // The text whose search has begun.
  const [begun, setBegun] = useState<string>()
  const [searched, setSearched] = useState<{ text: string; outcome: Outcome<Found<S>> }>()
  const wanted = text !== undefined && text.length >= MIN_LENGTH ? text : undefined
  const isCurrent = searched?.text === wanted
  useEffect(() => {
    if (wanted === undefined || isCurrent || !isConnected) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      setBegun(wanted)
      const outcome = await settle(find(wanted, controller.signal))
      if (!controller.signal.aborted) setSearched({ text: wanted, outcome })
    }, DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [wanted, isCurrent, isConnected, find])
  const retry = useCallback(() => setSearched(undefined), [])
  if (wanted === undefined) return { suggestions: { state: 'none' }, retry }
  if (!searched || !isCurrent) {
    // Before the first search, a text that is still being typed needs no status.
    const state = !isConnected ? 'offline' : searched || begun === wanted ? 'searching' : 'none'
    return { suggestions: { state }, retry }
  }
  const { outcome } = searched
  return {
    suggestions: outcome.ok
      ? { state: 'found', ...outcome.value }
      : { state: 'failed', error: outcome.error },
    retry,
  }
}
