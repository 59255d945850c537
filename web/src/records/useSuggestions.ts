import { useCallback, useEffect, useState } from 'react'
import { useIsConnected } from '~/lib/connection'
import { type Outcome, settle } from '~/lib/load'

/** Milliseconds after the last key press before the search starts. */
export const DELAY_MS = 300
/** Shorter texts aren't searched, because a single letter matches almost every record. */
export const MIN_LENGTH = 2

/** Maximum number of suggestions for a field. */
export const MAX_SUGGESTIONS = 8

/** A page of suggestions, and the number of all matches. */
export type Found<S> = { found: S[]; total: number }

/** The state of the search: the suggestions for a text, or why there are none. */
export type Suggestions<S> =
  | { state: 'none' | 'searching' | 'offline' }
  | ({ state: 'found' } & Found<S>)
  | { state: 'failed'; error: unknown }

/**
 * Searches suggestions for `text` while the user types; pass undefined to search nothing. An outdated search is
 * aborted. Memoize `find`: a new function aborts a running search and starts it again.
 */
export function useSuggestions<S>(
  text: string | undefined,
  find: (text: string, signal: AbortSignal) => Promise<Found<S>>,
): { suggestions: Suggestions<S>; retry: () => void } {
  const isConnected = useIsConnected()
  // The text for which a search has been started, after `DELAY_MS`.
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
    // Before the first search starts, no status is shown, because the user is still typing.
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
