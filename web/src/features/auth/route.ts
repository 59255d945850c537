import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { loadCore } from '~/core'
import { paths, wantedOr } from '~/lib/paths'
import { CodePage } from './CodePage'
import { HelpPage } from './HelpPage'
import { LoginPage } from './LoginPage'

/** Who is signed in already has no business on the login page. Without a token nothing needs to be waited for. */
async function pastLogin({ request }: LoaderFunctionArgs) {
  if (!localStorage.getItem('accessToken')) return null
  const core = await loadCore()
  if (!core.hasSession()) return null
  return redirect(wantedOr(new URL(request.url).searchParams.get('next'), core.homeForRole(core.tokenRole())))
}

/** The screens of signing in. They are the first that anybody sees, so they come with the first load. */
export const authRoutes: RouteObject[] = [
  { index: true, loader: pastLogin, Component: LoginPage },
  { path: paths.login, loader: pastLogin, Component: LoginPage },
  { path: paths.code, Component: CodePage },
  { path: paths.forgotPassword, Component: HelpPage },
]
