import { redirect, type ShouldRevalidateFunction } from 'react-router'
import { type Core, core, loadCore } from '~/core'
import { drafts } from '~/lib/drafts'
import { followLanguage, tellLanguage } from '~/lib/language'
import { loginFor } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { keptSession, type Session, sessionChanges } from '~/lib/session'
import { applyTheme, wearColor } from '~/lib/theme'
import { toast } from '~/ui/Toasts'

// The last session, used if a reload fails, and when it was loaded.
let last: Session | undefined
let answeredAt = 0

async function ask({ getProfile, getUserPermissions }: Core): Promise<Session> {
  const [profile, permissions] = await Promise.all([getProfile(), getUserPermissions()])
  return { profile, resources: permissions.resources }
}

/** Stores a pending language choice on the server. The page already uses it, whether or not that succeeds. */
const tell = ({ profile }: Session) =>
  tellLanguage(profile.id).catch(() => {
    toast.error(core.texts().profile.languageUpdateFailed)
  })

/** The loader of all signed-in pages: redirects to the login page without both tokens, and loads the session. */
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
    const session = await ask(core)
    // An aborted navigation either restarts or no longer matters.
    if (!request.signal.aborted) {
      const comesIn = !last
      last = session
      keptSession.keep(session)
      drafts.belongTo(session.profile.id)
      answeredAt = Date.now()
      sessionChanges.know(changes)
      void wearColor(session.profile.theme ?? '')
      if (comesIn) {
        // Only on sign-in: later, the reload could interrupt the user.
        await followLanguage(session.profile, request.url)
        void tell(session)
      }
    }
    return session
  } catch (error) {
    const status = problemOf(error)?.status
    if (status === 401) throw toLogin()
    // The change itself has been saved. An outdated name in the top bar is better than losing unsaved changes on the
    // page.
    if (isRenewal && last) return last
    const kept = status === 0 ? keptSession.read() : undefined
    if (kept) {
      if (!last) void tell(kept)
      last = kept
      return kept
    }
    throw error
  }
}

/** Clears all data about the user who signed out, including their accent colour. */
export function leave() {
  last = undefined
  if (!core.hasSession()) keptSession.forget()
  void applyTheme()
}

/** Returns whether the session was loaded more than `age` milliseconds ago. */
export const isOlderThan = (age: number) => Date.now() - answeredAt > age

let isAsking = false

/**
 * Returns whether the user or their permissions have changed on the server. Errors count as unchanged, and only one
 * request runs at a time.
 */
export async function hasChanged(): Promise<boolean> {
  const known = last
  if (!known || isAsking) return false
  isAsking = true
  try {
    const session = await ask(core)
    answeredAt = Date.now()
    return JSON.stringify(session) !== JSON.stringify(known)
  } catch {
    return false
  } finally {
    isAsking = false
  }
}

/**
 * The session is loaded once and reloaded only after a change (see `useFreshSession`). The server checks permissions
 * on every request anyway.
 */
export const onceASession: ShouldRevalidateFunction = () => sessionChanges.areNews()
