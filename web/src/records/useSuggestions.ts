import { useCallback } from 'react'
import { settle } from '~/lib/load'
import { useSearch } from './useSearch'

/** Maximum number of suggestions for a field. */
export const MAX_SUGGESTIONS = 8

/** A page of suggestions, and the number of all matches. */
export type Found<S> = { found: S[]; total: number }

/** The state of the search: the suggestions for a text, or why there are none. */
export type Suggestions<S> =
  | { state: 'none' | 'searching' | 'offline' }
  | ({ state: 'found' } & Found<S>)
  | { state: 'failed'; error: unknown }

/** Searches suggestions for `text` while the user types; pass undefined to search nothing. Memoize `find`. */
export function useSuggestions<S>(
  text: string | undefined,
  find: (text: string, signal: AbortSignal) => Promise<Found<S>>,
): { suggestions: Suggestions<S>; retry: () => void } {
  const settled = useCallback((text: string, signal: AbortSignal) => settle(find(text, signal)), [find])
  const { search, retry } = useSearch(text, settled)
  if (search.state === 'found') {
    const { result } = search
    const suggestions: Suggestions<S> = result.ok
      ? { state: 'found', ...result.value }
      : { state: 'failed', error: result.error }
    return { suggestions, retry }
  }
  // Before the first search starts, no status is shown, because the user is still typing.
  const state = search.state === 'typing' ? 'none' : search.state
  return { suggestions: { state }, retry }
}
