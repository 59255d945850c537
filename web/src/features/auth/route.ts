import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { paths } from '~/lib/paths'
import { CallbackErrorPage, CallbackPage } from './CallbackPage'
import { LoginPage } from './LoginPage'
import {
  callbackLoader,
  pendingLoader,
  redirectSignedIn,
  resetLoader,
  signupLoader,
  verifyLoader,
} from './loader'
import { VerifyFallback } from './VerifyFallback'

/**
 * The routes of the sign-in pages. The code of the login page, and of the page after a sign-in with the provider, is
 * part of the first load.
 */
export const authRoutes: RouteObject[] = [
  { index: true, loader: redirectSignedIn, Component: LoginPage },
  { path: paths.login, loader: redirectSignedIn, Component: LoginPage },
  pageRoute(paths.code, async () => (await import('./CodePage')).CodePage, pendingLoader),
  pageRoute(paths.forgotPassword, async () => (await import('./ForgotPage')).ForgotPage),
  pageRoute(paths.resetPassword, async () => (await import('./ResetPage')).ResetPage, resetLoader),
  pageRoute(paths.signup, async () => (await import('./SignupPage')).SignupPage, signupLoader),
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
    ErrorBoundary: CallbackErrorPage,
  },
]
