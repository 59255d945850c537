import { redirect, type ShouldRevalidateFunction } from 'react-router'
import { type Core, core, loadCore } from '~/core'
import { drafts } from '~/lib/drafts'
import { followLanguage, tellLanguage } from '~/lib/language'
import { loginFor } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { keptSession, type Session, sessionChanges } from '~/lib/session'
import { applyTheme, wearColor } from '~/lib/theme'
import { toast } from '~/ui/Toasts'

// The last answer, for when a later question fails, and when it came.
let last: Session | undefined
let answeredAt = 0

async function ask({ getProfile, getUserPermissions }: Core): Promise<Session> {
  const [profile, permissions] = await Promise.all([getProfile(), getUserPermissions()])
  return { profile, resources: permissions.resources }
}

/** What they chose on this device; it speaks their language whether or not the server could be told. */
const tell = ({ profile }: Session) =>
  tellLanguage(profile.id).catch(() => {
    toast.error(core.texts().profile.languageUpdateFailed)
  })

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
    const session = await ask(core)
    // Whoever broke this off asks again, or has left.
    if (!request.signal.aborted) {
      const comesIn = !last
      last = session
      keptSession.keep(session)
      drafts.belongTo(session.profile.id)
      answeredAt = Date.now()
      sessionChanges.know(changes)
      void wearColor(session.profile.theme ?? '')
      if (comesIn) {
        // Later it would take the page away from under somebody who works on it.
        await followLanguage(session.profile, request.url)
        void tell(session)
      }
    }
    return session
  } catch (error) {
    const status = problemOf(error)?.status
    if (status === 401) throw toLogin()
    // What was changed is saved. The old name in the top bar is better than a page that goes away with what was typed.
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

/** Nothing of who was signed in stays behind: neither what is known of them nor their colour. */
export function leave() {
  last = undefined
  if (!core.hasSession()) keptSession.forget()
  void applyTheme()
}

/** For so many milliseconds nobody has asked who is signed in. */
export const isOlderThan = (age: number) => Date.now() - answeredAt > age

let isAsking = false

/**
 * Has anything about who is signed in, or about what they may do, changed on the server? It is asked in passing: a
 * question that nobody answers is none, and one at a time is enough.
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
 * Who is signed in is asked once, and not from page to page: anew only after it has changed, by them or by somebody
 * else (see `useFreshSession`). The server asks its own data on every call anyway.
 */
export const onceASession: ShouldRevalidateFunction = () => sessionChanges.areNews()
