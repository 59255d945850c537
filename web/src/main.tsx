import { t } from '@lingui/core/macro'
import { textOf } from '~/language'
import './app.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Providers } from '~/app/Providers'
import { routes } from '~/app/routes'
import { loadCore, onceLoaded } from '~/core'
import { startConnection } from '~/lib/connection'
import { startDrafts } from '~/lib/drafts'
import { loginUrl } from '~/lib/paths'
import { storedSession } from '~/lib/session'
import { site } from '~/lib/site'
import { startTheme } from '~/lib/theme'
import { withDialogHistory } from '~/ui/dialogHistory'
import { toast } from '~/ui/Toasts'

const router = withDialogHistory(() => createBrowserRouter(routes))

/**
 * Leads to the login page when the session has ended, in this tab or another, and back to this page after sign-in.
 */
function toLogin(message: string) {
  storedSession.forget()
  const { pathname, search } = router.state.location
  if (!pathname.startsWith('/dashboard')) return
  toast.error(message)
  // While the first page loads, its guard leads there. Two navigations at once could leave the splash on the screen.
  if (router.state.initialized) void router.navigate(loginUrl(pathname + search), { replace: true })
}

onceLoaded(core => {
  if (site.rules) core.setFormSettings(site.rules)
  core.startSession(() => toLogin(textOf(core.texts().general.sessionOver)))
  startConnection(core)
  startDrafts(() => toast.info(t`Draft restored.`))
  void startTheme()
})
// Starts loading early. Callers that need core load it again and report a failure.
loadCore().catch(() => undefined)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root')
// A transition, so that a slow phone stays responsive.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  ),
)
