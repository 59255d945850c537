import { redirect, type ShouldRevalidateFunction } from 'react-router'
import { loadCore } from '~/core'
import { loginFor } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { type Session, sessionChanges } from '~/lib/session'
import { applyTheme, wearColor } from '~/lib/theme'

// The last answer, for when a later question fails.
let last: Session | undefined

/** Lets nobody in without both tokens, and finds out who is signed in. */
export async function guard({ request }: { request: Request }): Promise<Session> {
  const core = await loadCore()
  const { pathname, search } = new URL(request.url)
  const toLogin = () => {
    leave()
    return redirect(loginFor(pathname + search))
  }
  if (!core.hasSession()) throw toLogin()
  const changes = sessionChanges.count()
  const isRenewal = sessionChanges.areNews()
  try {
    const [profile, permissions] = await Promise.all([core.getProfile(), core.getUserPermissions()])
    const session = { profile, resources: permissions.resources }
    // Whoever broke this off asks again, or has left.
    if (!request.signal.aborted) {
      last = session
      sessionChanges.know(changes)
      void wearColor(profile.theme ?? '')
    }
    return session
  } catch (error) {
    if (problemOf(error)?.status === 401) throw toLogin()
    // What was changed is saved. The old name in the top bar is better than a page that goes away with what was typed.
    if (isRenewal && last) return last
    throw error
  }
}

/** Nothing of who was signed in stays behind: neither what is known of them nor their colour. */
export function leave() {
  last = undefined
  void applyTheme()
}

/**
 * Who is signed in doesn't change from page to page, and the server asks its own data on every call anyway: so only
 * after they changed something about themselves.
 */
export const onceASession: ShouldRevalidateFunction = () => sessionChanges.areNews()
