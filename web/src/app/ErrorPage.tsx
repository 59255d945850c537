import { t } from '@lingui/core/macro'
import { ArrowUpCircle, CloudOff, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { isRouteErrorResponse, Navigate, useLocation, useRevalidator, useRouteError } from 'react-router'
import { core } from '~/core'
import { isUnreachable, messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { checkConnection, useIsConnected } from '~/lib/connection'
import { useTitle } from '~/lib/title'
import { hasServerNewVersion, isFailedImport, reloadApp } from '~/lib/version'
import { Button } from '~/ui/Button'
import { State } from '~/ui/State'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** The errors of imports that failed while the server was unreachable. */
const offlineErrors = new WeakSet<object>()

/**
 * Returns why an import failed; undefined until this is known. After a failure while offline, reloads the app as soon as
 * the server is reachable, because React Router keeps the failed import of a route and never repeats it. An import
 * that failed while online doesn't cause a reload, which could repeat forever.
 */
function useImportFailure(error: unknown): 'offline' | 'new version' | 'other' | undefined {
  const isConnected = useIsConnected()
  const [cause, setCause] = useState<'new version' | 'other'>()
  const failed = isFailedImport(error) ? error : undefined
  useEffect(() => {
    if (!failed) return
    setCause(undefined)
    if (!isConnected) {
      offlineErrors.add(failed)
      return
    }
    let isCurrent = true
    const examine = async () => {
      const [isNew] = await Promise.all([hasServerNewVersion(), checkConnection()])
      if (!isCurrent) return
      if (isNew !== false || !offlineErrors.has(failed)) return setCause(isNew ? 'new version' : 'other')
      runOnceSaved(() => {
        if (isCurrent) void reloadApp()
      })
    }
    void examine()
    return () => {
      isCurrent = false
    }
  }, [failed, isConnected])
  if (!failed) return undefined
  // Also shown until the app reloads.
  return cause ?? (!isConnected || offlineErrors.has(failed) ? 'offline' : undefined)
}

const NotFound = lazy(async () => ({ default: (await import('./NotFound')).NotFound }))

/** The error page inside of the shell. A URL that a loader rejects with status 404 is shown as an unknown page. */
export function ErrorPage() {
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404) return <Failure />
  return (
    <Suspense>
      <NotFound />
    </Suspense>
  )
}

function Failure() {
  const error = useRouteError()
  const problem = problemOf(error)
  const { revalidate, state } = useRevalidator()
  const importFailure = useImportFailure(error)
  useTitle(t`Something went wrong`)
  const retry = () => {
    // After an API error, only the page's data is loaded again. Any other error needs a full reload.
    if (problem) void revalidate()
    else void reloadApp()
  }
  if (isFailedImport(error) && !importFailure) return null
  if (importFailure === 'new version') {
    return (
      <div className="grid min-h-[60dvh] place-items-center">
        <State
          urgent
          whole
          icon={<ArrowUpCircle className="size-6" />}
          title={t`A new version is available`}
          action={
            <Button kind="primary" onClick={() => location.reload()}>
              {t`Update`}
            </Button>
          }
        >
          {t`Update the app to open this page. What you typed is saved.`}
        </State>
      </div>
    )
  }
  const isOffline = isUnreachable(error) || importFailure === 'offline'
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <State
        urgent
        whole
        icon={isOffline ? <CloudOff className="size-6" /> : <TriangleAlert className="size-6" />}
        title={t`This page couldn't be loaded`}
        action={
          <Button kind="primary" busy={state === 'loading'} onClick={retry}>
            {t`Try Again`}
          </Button>
        }
      >
        {messageOf(
          error,
          isOffline && core
            ? textOf(core.texts().general.noConnection)
            : t`Reload the page. If that doesn't help, ask the person who manages this installation.`,
        )}
      </State>
    </div>
  )
}

/** Matches percent-encoded line breaks. */
const BREAKS = /%(?:0[ad]|e2%80%a[89])/i

/**
 * The error page outside of the shell. A URL with an encoded line break matches no route, not even the catch-all. Such
 * a URL is redirected to one with encoded percent signs, which the catch-all route shows as an unknown page.
 */
export function RootErrorPage() {
  const { pathname } = useLocation()
  const isUnknown = isRouteErrorResponse(useRouteError()) && BREAKS.test(pathname)
  if (isUnknown) return <Navigate replace to={pathname.replaceAll('%', '%25')} />
  return (
    <main>
      <Failure />
    </main>
  )
}
