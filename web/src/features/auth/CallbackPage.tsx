import { t } from '@lingui/core/macro'
import { Link, useNavigate, useRouteError } from 'react-router'
import { isForbidden, messageOf } from '~/core/problem'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { RetryButton } from '~/ui/RetryButton'
import { AuthLayout } from './AuthLayout'
import { BanDialog, banOf } from './BanDialog'
import { WaitingPage } from './WaitingPage'

/** Shown while a sign-in with an OpenID Connect provider completes. */
export function CallbackPage() {
  useTitle(t`Signing in`)
  return <WaitingPage title={t`Signing you in`} />
}

/**
 * Shows why a sign-in with a provider failed. After a failed request the user can try again, because the one-time
 * values in the URL are valid for a minute. If the server rejects the account (403), there is no button to try again.
 */
export function CallbackErrorPage() {
  const error = useRouteError()
  const navigate = useNavigate()
  useTitle(t`Signing in`)
  const isRefused = isForbidden(error)
  const toLogin = () => void navigate(paths.login, { replace: true })
  return (
    <AuthLayout
      title={isRefused ? t`Not signed in` : t`Almost signed in`}
      subtitle={isRefused ? t`This account can't sign in.` : t`The last step failed.`}
    >
      <Notice kind="error" className="mb-5">
        {messageOf(error, t`Part of this page couldn't be loaded.`)}
      </Notice>
      <div className="grid gap-2">
        {!isRefused && <RetryButton className="w-full" />}
        <Link to={paths.login} replace className={buttonClass('ghost', 'w-full')}>
          {t`Back to sign in`}
        </Link>
      </div>
      <BanDialog ban={banOf(error)} onClose={toLogin} />
    </AuthLayout>
  )
}
