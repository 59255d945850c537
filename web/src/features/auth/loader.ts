import { t } from '@lingui/core/macro'
import { type LoaderFunctionArgs, redirect, replace } from 'react-router'
import { loadCore } from '~/core'
import { loadLists } from '~/core/lists'
import { messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { drafts } from '~/lib/drafts'
import { paths, safeRedirect } from '~/lib/paths'
import { storedSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { pendingLogin } from './pending'
import {
  confirmedSignup,
  pageAfterSignIn,
  removeQuery,
  resetToken,
  SIGNUP_DRAFT,
  sentSignup,
  signupToken,
} from './tabStorage'

/** Returns whether an access token is stored. False if the browser blocks the storage. */
function mayHaveToken(): boolean {
  try {
    return localStorage.getItem('accessToken') !== null
  } catch {
    return false
  }
}

/**
 * Returns the page with which a signed-in user continues: `next` if that is a page of the app. Undefined if no user is
 * signed in. Awaits core only if a token is stored.
 */
export async function pageOfSignedIn(next: string | null): Promise<string | undefined> {
  if (!mayHaveToken()) return undefined
  const core = await loadCore()
  // The user may be another one than this tab has had before.
  if (!core.hasSession() && !core.hasOtherSession()) return undefined
  return safeRedirect(next, core.homeForRole(core.tokenRole()))
}

/** The loader of the login page, which redirects signed-in users into the app. */
export async function redirectSignedIn({ request }: LoaderFunctionArgs) {
  const page = await pageOfSignedIn(new URL(request.url).searchParams.get('next'))
  return page === undefined ? null : redirect(page)
}

/** The loader of the sign-up page. If the rules of the form can't be loaded, the page says so and loads them again. */
export async function signupLoader() {
  await Promise.all([loadCore(), loadLists().catch(() => undefined)])
  return null
}

/** The loader of the code page: returns the pending login, or redirects to the login page if there is none. */
export async function pendingLoader() {
  await loadCore()
  const login = pendingLogin.read()
  if (login?.email) return login
  toast.error(login ? t`No email found` : t`No login data found`)
  throw redirect(paths.login)
}

/**
 * Returns the stored token of a mailed link; null if there is none. If the URL contains a token, first moves that to
 * the storage and redirects to the URL without the token.
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

/** Confirms a registration by the token of the mailed link. Returns the outcome and the message to show. */
export async function verifyLoader(args: LoaderFunctionArgs) {
  const token = await takeToken(args, signupToken)
  const core = await loadCore()
  if (token === null)
    return { outcome: 'invalid', message: textOf(core.texts().auth.verifyLinkInvalid) } as const
  const confirmed = confirmedSignup.read()
  if (confirmed?.token === token) return { outcome: 'confirmed', message: textOf(confirmed.message) } as const
  try {
    const message = await core.verifyEmail({ token })
    confirmedSignup.save({ token, message })
    sentSignup.forget()
    drafts.forget(SIGNUP_DRAFT)
    return { outcome: 'confirmed', message: textOf(message) } as const
  } catch (error) {
    const status = problemOf(error)?.status ?? 0
    const message = messageOf(error, t`Failed to confirm your email address. Please try again.`)
    // Errors that a retry can't fix: an expired link, an e-mail or number in use, closed registration.
    if (![400, 403, 409].includes(status)) return { outcome: 'failed', message } as const
    sentSignup.forget()
    // After a 409 the link stays valid, so that a reload shows the reason again.
    if (status !== 409) signupToken.forget()
    return { outcome: status === 400 ? 'invalid' : 'refused', message } as const
  }
}

/**
 * Exchanges the one-time values in the URL for tokens, which completes a sign-in with a provider, and redirects into
 * the app.
 */
export async function callbackLoader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url)
  const [accessToken, refreshToken] = ['accessToken', 'refreshToken'].map(name => url.searchParams.get(name))
  removeQuery(url)
  if (!accessToken || !refreshToken) throw replace(paths.login)
  const core = await loadCore()
  const response = await core.verifyToken({ accessToken, refreshToken }).catch(error => {
    // After a 400 (malformed values) the user returns to the login page. Any other error is shown on the error page.
    if (problemOf(error)?.status !== 400) throw error
  })
  if (!response?.data.tokens) {
    toast.error(t`Sign-in with the provider failed. Please try again.`)
    throw replace(paths.login)
  }
  // As in `completeSignIn`.
  storedSession.forget()
  core.storeTokens(response.data.tokens)
  pendingLogin.forget()
  const next = pageAfterSignIn.read()
  pageAfterSignIn.forget()
  throw replace(safeRedirect(next, core.homeForRole(core.tokenRole())))
}
