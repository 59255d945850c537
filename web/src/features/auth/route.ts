import { type LoaderFunctionArgs, type RouteObject, redirect, replace } from 'react-router'
import { loadCore } from '~/core'
import { paths, wantedOr } from '~/lib/paths'
import { problemOf, sentenceOf } from '~/lib/problem'
import { toast } from '~/ui/Toasts'
import { CallbackFault, CallbackPage } from './CallbackPage'
import { resetToken, signupToken, wantedPage, wipeQuery } from './kept'
import { LoginPage } from './LoginPage'
import { pendingLogin } from './pending'
import { VerifyFallback } from './VerifyFallback'

/** Where the browser keeps nothing for this page, nobody is signed in. */
function mayHaveToken(): boolean {
  try {
    return localStorage.getItem('accessToken') !== null
  } catch {
    return false
  }
}

/** Who is signed in already has no business on the login page. Without a token nothing needs to be waited for. */
async function pastLogin({ request }: LoaderFunctionArgs) {
  if (!mayHaveToken()) return null
  const core = await loadCore()
  if (!core.hasSession()) return null
  return redirect(wantedOr(new URL(request.url).searchParams.get('next'), core.homeForRole(core.tokenRole())))
}

/** The login that waits for its code; without one there is nothing to do on the code page. */
export async function pendingLoader() {
  const { noEmail, noLoginData } = (await loadCore()).texts().auth
  const login = pendingLogin.read()
  if (login?.email) return login
  toast.error(login ? noEmail : noLoginData)
  throw redirect(paths.login)
}

/** Returns the token of a mailed link, out of the address that it came in, or stored since; null without one. */
async function tokenOf({ request }: LoaderFunctionArgs, stored: typeof resetToken) {
  const url = new URL(request.url)
  const token = url.searchParams.get('token')
  if (token !== null) {
    wipeQuery(url)
    if (token) stored.keep(token)
    throw replace(url.pathname)
  }
  await loadCore()
  return stored.read()
}

export const resetLoader = (args: LoaderFunctionArgs) => tokenOf(args, resetToken)

/** Confirms the sign-up of a link. What a refusal says, the page shows; without a token it shows that the link is invalid. */
export async function verifyLoader(args: LoaderFunctionArgs) {
  const token = await tokenOf(args, signupToken)
  const { verifyLinkInvalid, verifyFailed } = (await loadCore()).texts().auth
  if (token === null) return { outcome: 'refused', message: verifyLinkInvalid } as const
  try {
    const { message } = await (await loadCore()).verifyEmail({ token })
    signupToken.forget()
    return { outcome: 'confirmed', message } as const
  } catch (error) {
    const status = problemOf(error)?.status ?? 0
    const message = sentenceOf(error, verifyFailed)
    // Only what a second try can't change: a link that is over, an e-mail or a number that is taken, a closed registration.
    if (![400, 403, 409].includes(status)) return { outcome: 'failed', message } as const
    signupToken.forget()
    return { outcome: 'refused', message } as const
  }
}

/** Changes the one-time values that a sign-in at another provider hands over for a session, and goes in. */
async function callbackLoader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url)
  const [accessToken, refreshToken] = ['accessToken', 'refreshToken'].map(name => url.searchParams.get(name))
  wipeQuery(url)
  if (!accessToken || !refreshToken) throw replace(paths.login)
  const core = await loadCore()
  const { federatedFailed } = core.texts().auth
  const answer = await core.verifyToken({ accessToken, refreshToken }).catch(error => {
    // Only values of another shape than any of ours; whatever else there is to say, the page says in place.
    if (problemOf(error)?.status !== 400) throw error
  })
  if (!answer?.data.tokens) {
    toast.error(federatedFailed)
    throw replace(paths.login)
  }
  core.storeTokens(answer.data.tokens)
  pendingLogin.forget()
  const wanted = wantedPage.read()
  wantedPage.forget()
  throw replace(wantedOr(wanted, core.homeForRole(core.tokenRole())))
}

/** The screens of signing in. The first of them comes with the first load, those behind it when somebody goes there. */
export const authRoutes: RouteObject[] = [
  { index: true, loader: pastLogin, Component: LoginPage },
  { path: paths.login, loader: pastLogin, Component: LoginPage },
  {
    path: paths.code,
    loader: pendingLoader,
    lazy: async () => ({ Component: (await import('./CodePage')).CodePage }),
  },
  {
    path: paths.forgotPassword,
    lazy: async () => ({ Component: (await import('./ForgotPage')).ForgotPage }),
  },
  {
    path: paths.resetPassword,
    loader: resetLoader,
    lazy: async () => ({ Component: (await import('./ResetPage')).ResetPage }),
  },
  {
    path: paths.verifyEmail,
    loader: verifyLoader,
    HydrateFallback: VerifyFallback,
    lazy: async () => ({ Component: (await import('./VerifyPage')).VerifyPage }),
  },
  {
    path: paths.callback,
    loader: callbackLoader,
    HydrateFallback: CallbackPage,
    Component: CallbackPage,
    ErrorBoundary: CallbackFault,
  },
]
