import { t } from '@lingui/core/macro'
import { redirect, type ShouldRevalidateFunction } from 'react-router'
import { type Core, core, loadCore } from '~/core'
import { problemOf } from '~/core/problem'
import { drafts } from '~/lib/drafts'
import { setOwnCurrency } from '~/lib/format'
import { applyUserLanguage, syncLanguage } from '~/lib/language'
import { loginUrl } from '~/lib/paths'
import { type Session, sessionVersion, storedSession } from '~/lib/session'
import { applyStoredTheme, setAccentColor } from '~/lib/theme'
import { toast } from '~/ui/Toasts'

// The last loaded session, which is used again if reloading it fails, and the time when the server last returned one.
let current: Session | undefined
let loadedAt = 0

async function fetchSession({ getProfile, getUserPermissions }: Core): Promise<Session> {
  const [profile, permissions] = await Promise.all([getProfile(), getUserPermissions()])
  return { profile, resources: permissions.resources }
}

/** Sends a pending language choice to the server. The page already uses that language, even if this fails. */
const syncChoice = ({ profile }: Session) =>
  syncLanguage(profile.id).catch(() => {
    toast.error(t`The language was changed on this device, but couldn't be saved for your other devices.`)
  })

/** The loader of all pages for signed-in users: loads the session, or redirects to the login page if there is none. */
export async function guard({ request }: { request: Request }): Promise<Session> {
  const core = await loadCore()
  const { pathname, search } = new URL(request.url)
  const toLogin = () => {
    clearUserData()
    return redirect(loginUrl(pathname + search))
  }
  // The tab belongs to the user whom it has loaded until that user's pages are closed (see `useFreshSession`).
  if (!current) core.adoptSession()
  else if (core.hasOtherSession()) return current
  if (!core.hasSession()) throw toLogin()
  const changes = sessionVersion.count()
  const isRenewal = sessionVersion.isOutdated()
  try {
    const session = await fetchSession(core)
    // The result of an aborted navigation isn't stored: the navigation either restarts or no longer matters.
    if (!request.signal.aborted) {
      const isSignIn = !current
      current = session
      if (core.hasSession()) storedSession.save(session)
      setOwnCurrency(session.profile.corp.currency)
      drafts.setOwner(session.profile.id)
      loadedAt = Date.now()
      sessionVersion.markSeen(changes)
      void setAccentColor(session.profile.theme ?? '')
      if (isSignIn) {
        // Only when the app starts or a user signs in, because the reload for another language could interrupt the user
        // later.
        await applyUserLanguage(session.profile, request.url)
        void syncChoice(session)
      }
    }
    return session
  } catch (error) {
    const status = problemOf(error)?.status
    if (status === 401) throw toLogin()
    // If the reload after a change fails, the old session is kept: an outdated name in the top bar is better than an
    // error page, which would discard unsaved changes.
    if (isRenewal && current) return current
    const stored = status === 0 && core.hasSession() ? storedSession.read() : undefined
    if (stored) {
      if (!current) void syncChoice(stored)
      current = stored
      setOwnCurrency(stored.profile.corp.currency)
      drafts.setOwner(stored.profile.id)
      return stored
    }
    throw error
  }
}

/**
 * Forgets the session in memory and, if no user is signed in, the stored session and the accent colour. Drafts stay.
 */
export function clearUserData() {
  current = undefined
  if (!core.hasSession() && !core.hasOtherSession()) storedSession.forget()
  void applyStoredTheme()
}

/** Returns whether the profile and permissions were last fetched more than `age` milliseconds ago. */
export const isSessionDataOlderThan = (age: number) => Date.now() - loadedAt > age

let isChecking = false

/**
 * Returns whether the user's profile or permissions have changed on the server. Returns false after an error, and while
 * another call is running.
 */
export async function hasSessionChanged(): Promise<boolean> {
  const before = current
  if (!before || isChecking) return false
  isChecking = true
  try {
    const session = await fetchSession(core)
    loadedAt = Date.now()
    return JSON.stringify(session) !== JSON.stringify(before)
  } catch {
    return false
  } finally {
    isChecking = false
  }
}

/**
 * Returns whether the router has to run `guard` again: only after a change of the session (see `useFreshSession`). The
 * server checks permissions on every request anyway.
 */
export const shouldReloadSession: ShouldRevalidateFunction = () => sessionVersion.isOutdated()
