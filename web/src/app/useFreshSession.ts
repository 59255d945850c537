import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { core } from '~/core'
import { otherUnsavedWork } from '~/lib/drafts'
import { onReturn } from '~/lib/returns'
import { useRenewSession, useSession } from '~/lib/session'
import { rescueFocus } from '~/ui/finalFocus'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { hasSessionChanged, isSessionDataOlderThan } from './guard'

/** On navigation and when the user returns to the window, a session older than this is checked (milliseconds). */
const MAX_AGE_MS = 10_000

/** Loads the pages of another user who has signed in, unless this one has other unsaved work, or has signed in again. */
function reloadForOtherUser() {
  if (core.hasOtherSession() && otherUnsavedWork().length === 0) location.reload()
}

/**
 * Reloads the session when the user's profile or permissions have changed. They are requested when the user returns to
 * the window, on navigation, and after a 403; also when the user opens or leaves a page to which they have no access
 * (`hasNoAccess`). There is no polling. Without a change nothing re-renders, and a reload waits until there are no unsaved
 * changes. If another user has signed in in another tab, the whole page is reloaded, so that nothing of this user is left.
 */
export function useFreshSession(hasNoAccess: boolean) {
  const renew = useRenewSession()
  const { pathname } = useLocation()
  const reloadIfChanged = useCallback(async () => {
    if (core.hasOtherSession()) runOnceSaved(reloadForOtherUser)
    else if (await hasSessionChanged()) runOnceSaved(() => void renew())
  }, [renew])
  useEffect(() => {
    const reloadIfOld = () => {
      if (core.hasOtherSession() || isSessionDataOlderThan(MAX_AGE_MS)) void reloadIfChanged()
    }
    core.onForbidden(() => void reloadIfChanged())
    const stopReturns = onReturn(reloadIfOld)
    return () => {
      core.onForbidden()
      stopReturns()
    }
  }, [reloadIfChanged])
  const { resources } = useSession()
  const before = useRef(resources)
  useEffect(() => {
    // What had the focus may have disappeared with a permission.
    if (before.current !== resources) rescueFocus()
    before.current = resources
  }, [resources])
  const hadNoAccess = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each navigation.
  useEffect(() => {
    const isDue = hasNoAccess || hadNoAccess.current || isSessionDataOlderThan(MAX_AGE_MS)
    if (isDue || core.hasOtherSession()) void reloadIfChanged()
    hadNoAccess.current = hasNoAccess
  }, [pathname, hasNoAccess, reloadIfChanged])
}
