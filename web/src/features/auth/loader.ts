import { t } from '@lingui/core/macro'
import { type LoaderFunctionArgs, redirect, replace } from 'react-router'
import { loadCore } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { paths, safeRedirect } from '~/lib/paths'
import { toast } from '~/ui/Toasts'
import { pendingLogin } from './pending'
import { pageAfterSignIn, removeQuery, resetToken, signupToken } from './tabStorage'

/** Storage may be blocked; then there is no session. */
function mayHaveToken(): boolean {
  try {
    return localStorage.getItem('accessToken') !== null
  } catch {
    return false
  }
}

/** Redirects a signed-in user away from the login page. Without a token it doesn't wait for core. */
export async function redirectSignedIn({ request }: LoaderFunctionArgs) {
  if (!mayHaveToken()) return null
  const core = await loadCore()
  if (!core.hasSession()) return null
  return redirect(
    safeRedirect(new URL(request.url).searchParams.get('next'), core.homeForRole(core.tokenRole())),
  )
}

/** Returns the pending login; redirects to the login page without one. */
export async function pendingLoader() {
  await loadCore()
  const login = pendingLogin.read()
  if (login?.email) return login
  toast.error(login ? t`No email found` : t`No login data found`)
  throw redirect(paths.login)
}

/**
 * Returns the stored token of a mailed link; null without one. Moves a token in the URL to the storage first, with a
 * redirect to the URL without it.
 */
async function takeToken({ request }: LoaderFunctionArgs, stored: typeof resetToken) {
  const url = new URL(request.url)
  const token = url.searchParams.get('token')
  if (token !== null) {
    removeQuery(url)
    if (token) stored.save(token)
    throw replace(url.pathname)
  }
  await loadCore()
  return stored.read()
}

export const resetLoader = (args: LoaderFunctionArgs) => takeToken(args, resetToken)

/** Confirms a registration. Returns the outcome and the message to show. */
export async function verifyLoader(args: LoaderFunctionArgs) {
  const token = await takeToken(args, signupToken)
  const core = await loadCore()
  if (token === null)
    return { outcome: 'refused', message: textOf(core.texts().auth.verifyLinkInvalid) } as const
  try {
    const message = textOf(await core.verifyEmail({ token }))
    signupToken.forget()
    return { outcome: 'confirmed', message } as const
  } catch (error) {
    const status = problemOf(error)?.status ?? 0
    const message = messageOf(error, t`Failed to confirm your email address. Please try again.`)
    // Errors that a retry can't fix: an expired link, an e-mail or number in use, closed registration.
    if (![400, 403, 409].includes(status)) return { outcome: 'failed', message } as const
    signupToken.forget()
    return { outcome: 'refused', message } as const
  }
}

/** Exchanges the one-time values of a sign-in with a provider for a session. */
export async function callbackLoader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url)
  const [accessToken, refreshToken] = ['accessToken', 'refreshToken'].map(name => url.searchParams.get(name))
  removeQuery(url)
  if (!accessToken || !refreshToken) throw replace(paths.login)
  const core = await loadCore()
  const response = await core.verifyToken({ accessToken, refreshToken }).catch(error => {
    // 400 means malformed values. The error page shows anything else.
    if (problemOf(error)?.status !== 400) throw error
  })
  if (!response?.data.tokens) {
    toast.error(t`Sign-in with the provider failed. Please try again.`)
    throw replace(paths.login)
  }
  core.storeTokens(response.data.tokens)
  pendingLogin.forget()
  const next = pageAfterSignIn.read()
  pageAfterSignIn.forget()
  throw replace(safeRedirect(next, core.homeForRole(core.tokenRole())))
}
