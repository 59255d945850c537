import { redirect, type ShouldRevalidateFunction } from 'react-router'
import { loadCore } from '~/core'
import { loginFor } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import type { Session } from '~/lib/session'

/** Lets nobody in without both tokens, and finds out who is signed in. */
export async function guard({ request }: { request: Request }): Promise<Session> {
  const core = await loadCore()
  const { pathname, search } = new URL(request.url)
  const toLogin = () => redirect(loginFor(pathname + search))
  if (!core.hasSession()) throw toLogin()
  try {
    const [profile, permissions] = await Promise.all([core.getProfile(), core.getUserPermissions()])
    return { profile, resources: permissions.resources }
  } catch (error) {
    throw problemOf(error)?.status === 401 ? toLogin() : error
  }
}

/** Who is signed in doesn't change from page to page; the server asks its own data on every call anyway. */
export const onceASession: ShouldRevalidateFunction = () => false
