import { useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import { isUnreachable } from '~/core/problem'
import { onDraftsDeleted } from './drafts'
import type { Loaded, Outcome } from './load'
import { useSession } from './session'

const MAX_PAGES = 10

/**
 * What the pages loaded last in this tab, by their address and the user's permissions, the newest last: the outcomes of
 * each page's parts. They belong to one user, like drafts.
 */
const pages = new Map<string, Record<string, Outcome<unknown>>>()
onDraftsDeleted(() => pages.clear())

/**
 * Returns `loaded`. If loading failed because the server is unreachable, returns instead what was loaded before at the
 * page's address with the same permissions, if anything was, as `stale`. If a page loads several parts, each but one has
 * a name (`part`).
 */
export function useLastLoaded<T>(loaded: Loaded<Outcome<T>>, part = ''): Loaded<Outcome<T>> {
  const { pathname, search } = useLocation()
  const { profile, resources } = useSession()
  const rights = useMemo(
    () => JSON.stringify([profile.id, profile.corp, resources]),
    [profile.id, profile.corp, resources],
  )
  const page = `${pathname}${search} ${rights}`
  const { outcome, stale } = loaded
  // The last outcome that was saved, and the permissions with which it was loaded.
  const saved = useRef<{ outcome: Outcome<T>; rights: string }>(undefined)
  useEffect(() => {
    if (!outcome || stale || (!outcome.ok && isUnreachable(outcome.error))) return
    if (saved.current?.outcome !== outcome) saved.current = { outcome, rights }
    // The permissions have changed, and the page still shows what was loaded with others.
    if (saved.current.rights !== rights) return
    const parts = { ...pages.get(page), [part]: outcome }
    pages.delete(page)
    pages.set(page, parts)
    const [oldest] = pages.keys()
    if (oldest !== undefined && pages.size > MAX_PAGES) pages.delete(oldest)
  }, [outcome, stale, page, part, rights])
  // A new outcome for each load that failed, so that callers notice the load.
  const last = useMemo((): Loaded<Outcome<T>> | undefined => {
    if (!outcome || outcome.ok || !outcome.isOffline) return
    const before = pages.get(page)?.[part]
    return before?.ok ? { outcome: { ok: true, value: before.value as T }, stale: true } : undefined
  }, [outcome, page, part])
  return last ?? loaded
}
