import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { core } from '~/core'
import { useRenewSession } from '~/lib/session'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { hasSessionChanged, isSessionOlderThan } from './guard'

/** Maximum age of the session on navigation and when the user returns to the window. */
const AGE_MS = 10_000

/**
 * Reloads the session when the user's permissions have changed: checked when the user returns to the window, on
 * navigation, and after a 403. A page that the user has no access to (`isClosed`) is checked when it opens and when
 * they leave it. There is no polling. Without a change nothing re-renders, and a reload waits until there are no
 * unsaved changes.
 */
export function useFreshSession(isClosed: boolean) {
  const renew = useRenewSession()
  const { pathname } = useLocation()
  const look = useCallback(async () => {
    if (await hasSessionChanged()) runOnceSaved(() => void renew())
  }, [renew])
  useEffect(() => {
    const lookAgain = () => {
      if (document.visibilityState === 'visible' && isSessionOlderThan(AGE_MS)) void look()
    }
    core.onForbidden(() => void look())
    addEventListener('focus', lookAgain)
    document.addEventListener('visibilitychange', lookAgain)
    return () => {
      core.onForbidden()
      removeEventListener('focus', lookAgain)
      document.removeEventListener('visibilitychange', lookAgain)
    }
  }, [look])
  const wasClosed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each navigation.
  useEffect(() => {
    if (isClosed || wasClosed.current || isSessionOlderThan(AGE_MS)) void look()
    wasClosed.current = isClosed
  }, [pathname, isClosed, look])
}
