import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { core } from '~/core'
import { useRenewSession } from '~/lib/session'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { hasSessionChanged, isSessionDataOlderThan } from './guard'

/** Maximum age of the session on navigation and when the user returns to the window. */
const MAX_AGE_MS = 10_000

/**
 * Reloads the session when the user's permissions have changed: checked when the user returns to the window, on
 * navigation, and after a 403. A page that the user has no access to (`isClosed`) is checked when it opens and when
 * they leave it. There is no polling. Without a change nothing re-renders, and a reload waits until there are no
 * unsaved changes.
 */
export function useFreshSession(isClosed: boolean) {
  const renew = useRenewSession()
  const { pathname } = useLocation()
  const reloadIfChanged = useCallback(async () => {
    if (await hasSessionChanged()) runOnceSaved(() => void renew())
  }, [renew])
  useEffect(() => {
    const reloadIfOld = () => {
      if (document.visibilityState === 'visible' && isSessionDataOlderThan(MAX_AGE_MS)) void reloadIfChanged()
    }
    core.onForbidden(() => void reloadIfChanged())
    addEventListener('focus', reloadIfOld)
    document.addEventListener('visibilitychange', reloadIfOld)
    return () => {
      core.onForbidden()
      removeEventListener('focus', reloadIfOld)
      document.removeEventListener('visibilitychange', reloadIfOld)
    }
  }, [reloadIfChanged])
  const wasClosed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each navigation.
  useEffect(() => {
    if (isClosed || wasClosed.current || isSessionDataOlderThan(MAX_AGE_MS)) void reloadIfChanged()
    wasClosed.current = isClosed
  }, [pathname, isClosed, reloadIfChanged])
}
