import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { loadCore } from '~/core'
import { paths, wantedOr } from '~/lib/paths'
import { toast } from '~/ui/Toasts'
import { CodePage } from './CodePage'
import { HelpPage } from './HelpPage'
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

/** The screens of signing in. They are the first that anybody sees, so they come with the first load. */
export const authRoutes: RouteObject[] = [
  { index: true, loader: pastLogin, Component: LoginPage },
  { path: paths.login, loader: pastLogin, Component: LoginPage },
  { path: paths.code, loader: pendingLoader, Component: CodePage },
  { path: paths.forgotPassword, Component: HelpPage },
]
