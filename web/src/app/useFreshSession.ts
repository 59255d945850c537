import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { core } from '~/core'
import { useRenewSession } from '~/lib/session'
import { onceNothingIsHeld } from '~/ui/heldWork'
import { hasChanged, isOlderThan } from './guard'

/** What is known may be this old on a new page, and when the user comes back to the window. */
const AGE_MS = 10_000

/**
 * Notices that the user's permissions have changed, without a new sign-in: when they come back to the window, when they
 * go to another page, and when the server answers 403. A page that is closed to them (`isClosed`) is a reason to ask by
 * itself, when it opens and when they leave it: what it says may no longer be true. No timer runs, and as long as nothing
 * has changed, nothing on the screen moves; nor does it while there is typed work on it.
 */
export function useFreshSession(isClosed: boolean) {
  const renew = useRenewSession()
  const { pathname } = useLocation()
  const look = useCallback(async () => {
    if (await hasChanged()) onceNothingIsHeld(() => void renew())
  }, [renew])
  useEffect(() => {
    const lookAgain = () => {
      if (document.visibilityState === 'visible' && isOlderThan(AGE_MS)) void look()
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is the occasion.
  useEffect(() => {
    if (isClosed || wasClosed.current || isOlderThan(AGE_MS)) void look()
    wasClosed.current = isClosed
  }, [pathname, isClosed, look])
}
