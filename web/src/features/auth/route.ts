import { type LoaderFunctionArgs, type RouteObject, redirect, replace } from 'react-router'
import { loadCore } from '~/core'
import { paths, wantedOr } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { toast } from '~/ui/Toasts'
import { CallbackFault, CallbackPage } from './CallbackPage'
import { resetToken, wantedPage, wipeQuery } from './kept'
import { LoginPage } from './LoginPage'
import { pendingLogin } from './pending'

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

/** The token of a reset link, out of the address that it came in, or kept since; null without one. */
export async function resetLoader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url)
  const token = url.searchParams.get('token')
  if (token !== null) {
    wipeQuery(url)
    if (token) resetToken.keep(token)
    throw replace(paths.resetPassword)
  }
  await loadCore()
  return resetToken.read()
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
    path: paths.callback,
    loader: callbackLoader,
    HydrateFallback: CallbackPage,
    Component: CallbackPage,
    ErrorBoundary: CallbackFault,
  },
]
