import { t } from '@lingui/core/macro'
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { authRoutes } from '~/features/auth/route'
import { displayPath } from '~/lib/paths'
import { SESSION_ROUTE } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { ErrorPage, RootErrorPage } from './ErrorPage'
import { guard, shouldReloadSession } from './guard'
import { Splash } from './Splash'

/** Redirects an unknown URL outside /dashboard to the start page, with a message. */
function redirectUnknown({ request }: LoaderFunctionArgs) {
  toast.info(t`There is no page at ${displayPath(new URL(request.url).pathname)}`)
  return redirect('/')
}

/** The `route.ts` modules of the features whose pages are below /dashboard. */
const features = import.meta.glob<{ routes: RouteObject[] }>(
  ['../features/*/route.ts', '!../features/auth/route.ts'],
  { eager: true },
)

export const routes: RouteObject[] = [
  {
    HydrateFallback: Splash,
    ErrorBoundary: RootErrorPage,
    children: [
      ...authRoutes,
      {
        id: SESSION_ROUTE,
        path: '/dashboard',
        loader: guard,
        shouldRevalidate: shouldReloadSession,
        lazy: async () => ({ Component: (await import('./Shell')).Shell }),
        children: [
          {
            ErrorBoundary: ErrorPage,
            children: [
              ...Object.values(features).flatMap(({ routes }) => routes),
              { path: '*', lazy: async () => ({ Component: (await import('./NotFound')).NotFound }) },
            ],
          },
        ],
      },
      { path: '*', loader: redirectUnknown, Component: Splash },
    ],
  },
]
