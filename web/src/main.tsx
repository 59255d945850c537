import './app.css'
// A tab that shows the login page can have drafts, too, so it answers another one that signs out.
import '~/app/unsavedWork'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Providers } from '~/app/Providers'
import { routes } from '~/app/routes'
import { loadCore, onceLoaded } from '~/core'
import { sessionEnd } from '~/features/auth/sessionEnd'
import { startConnection } from '~/lib/connection'
import { startDrafts } from '~/lib/drafts'
import { loginUrl } from '~/lib/paths'
import { storedSession } from '~/lib/session'
import { site } from '~/lib/site'
import { startTheme } from '~/lib/theme'
import { withDialogHistory } from '~/ui/dialogHistory'

/** Creates the router and renders the app. */
function start() {
  const router = withDialogHistory(() => createBrowserRouter(routes))
  let hadSession = false

  /**
   * Shows the login page, which says why, when the session has ended, in this tab or another. After sign-in, this page
   * opens again.
   */
  function toLogin() {
    storedSession.forget()
    const { pathname, search } = router.state.location
    if (!pathname.startsWith('/dashboard')) return
    // A visitor who opens the address of a page without having signed in has had no session.
    if (hadSession || router.state.initialized) sessionEnd.mark()
    // While the first page loads, its guard redirects to the login page. A second navigation could leave the splash
    // screen shown.
    if (router.state.initialized) void router.navigate(loginUrl(pathname + search), { replace: true })
  }

  onceLoaded(core => {
    if (site.rules) core.setFormSettings(site.rules)
    hadSession = core.hasSession()
    core.startSession(toLogin)
    startConnection(core)
    startDrafts()
    void startTheme()
  })
  // Loads core early. A failure is reported by the next caller of `loadCore`, which tries again.
  loadCore().catch(() => undefined)

  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element #root')
  // Rendered in a transition, so that a slow phone stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    ),
  )
}

// In a task of its own: together with the evaluation of the modules, it would block a slow phone for longer.
setTimeout(start)
