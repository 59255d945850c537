import { t } from '@lingui/core/macro'
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { authRoutes } from '~/features/auth/route'
import { contactRoutes } from '~/features/contacts/route'
import { corporationRoutes } from '~/features/corporations/route'
import { customerRoutes } from '~/features/customers/route'
import { dashboardRoutes } from '~/features/dashboard/route'
import { importRoutes } from '~/features/import/route'
import { invoiceRoutes } from '~/features/invoices/route'
import { profileRoutes } from '~/features/profile/route'
import { roleRoutes } from '~/features/roles/route'
import { subscriptionRoutes } from '~/features/subscriptions/route'
import { userRoutes } from '~/features/users/route'
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
              ...dashboardRoutes,
              ...customerRoutes,
              ...invoiceRoutes,
              ...contactRoutes,
              ...importRoutes,
              ...profileRoutes,
              ...subscriptionRoutes,
              ...corporationRoutes,
              ...userRoutes,
              ...roleRoutes,
              { path: '*', lazy: async () => ({ Component: (await import('./NotFound')).NotFound }) },
            ],
          },
        ],
      },
      { path: '*', loader: redirectUnknown, Component: Splash },
    ],
  },
]
