import { useCallback, useEffect } from 'react'
import { useLocation } from 'react-router'
import { core } from '~/core'
import { useRenewSession } from '~/lib/session'
import { onceNothingIsHeld } from '~/ui/heldWork'
import { hasChanged, isOlderThan } from './guard'

/** Whoever comes back to the window has perhaps talked to their administrator; a glance elsewhere is no absence. */
const AWAY_MS = 10_000
/** From page to page, what is known may be this old. */
const AGE_MS = 60_000

/**
 * Notices that somebody's role has changed, without their signing in again: when they come back to the window, when
 * they go to another page, and when the server says that they may not. No timer runs, and as long as nothing has
 * changed, nothing on the screen moves; nor does it while there is typed work on it.
 */
export function useFreshSession() {
  const renew = useRenewSession()
  const { pathname } = useLocation()
  const look = useCallback(async () => {
    if (await hasChanged()) onceNothingIsHeld(() => void renew())
  }, [renew])
  useEffect(() => {
    const lookAgain = () => {
      if (document.visibilityState === 'visible' && isOlderThan(AWAY_MS)) void look()
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page is the occasion.
  useEffect(() => {
    if (isOlderThan(AGE_MS)) void look()
  }, [pathname, look])
}
