import { useEffect, useMemo } from 'react'
import { useLocation } from 'react-router'
import { onDraftsDeleted } from './drafts'
import type { Loaded, Outcome } from './load'

const MAX_LISTS = 10

/** The lists loaded last in this tab, by their page's address, the newest last. They belong to one user, like drafts. */
const lists = new Map<string, unknown>()
onDraftsDeleted(() => lists.clear())

/**
 * Returns `loaded`. If loading failed because the server is unreachable, returns instead the list that was loaded before
 * at the page's address, if there is one, as `stale`.
 */
export function useLastLoaded<T>(loaded: Loaded<Outcome<T>>): Loaded<Outcome<T>> {
  const { pathname, search } = useLocation()
  const address = pathname + search
  const { outcome, stale } = loaded
  useEffect(() => {
    if (!outcome?.ok || stale) return
    lists.delete(address)
    lists.set(address, outcome.value)
    const [oldest] = lists.keys()
    if (oldest !== undefined && lists.size > MAX_LISTS) lists.delete(oldest)
  }, [outcome, stale, address])
  const isOffline = outcome?.ok === false && outcome.isOffline === true
  const last = useMemo((): Loaded<Outcome<T>> | undefined => {
    if (!isOffline || !lists.has(address)) return
    return { outcome: { ok: true, value: lists.get(address) as T }, stale: true }
  }, [isOffline, address])
  return last ?? loaded
}
