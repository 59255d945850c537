import { t } from '@lingui/core/macro'
import { ArrowUpCircle, CloudOff, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isRouteErrorResponse, Navigate, useLocation, useRevalidator, useRouteError } from 'react-router'
import { core } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { checkConnection, useIsConnected } from '~/lib/connection'
import { useTitle } from '~/lib/title'
import { isFailedImport } from '~/lib/version'
import { Button } from '~/ui/Button'
import { State } from '~/ui/State'

export function ErrorPage() {
  const error = useRouteError()
  const problem = problemOf(error)
  const { revalidate, state } = useRevalidator()
  const isConnected = useIsConnected()
  useTitle(t`Something went wrong`)
  const retry = () => {
    // After an API error, only the page's data is loaded again. Any other error needs a full reload.
    if (problem) void revalidate()
    else location.reload()
  }
  const isImportFailed = isFailedImport(error)
  const [isChecked, setIsChecked] = useState(false)
  useEffect(() => {
    if (isImportFailed) void checkConnection().then(() => setIsChecked(true))
  }, [isImportFailed])
  if (isImportFailed && !isChecked) return null
  if (isImportFailed && isConnected) {
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
  const isOffline = problem?.status === 0 || isImportFailed
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
            : t`Reload the page. If that doesn't help, contact your administrator.`,
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
      <ErrorPage />
    </main>
  )
}
