import { t } from '@lingui/core/macro'
import { Link, useLoaderData } from 'react-router'
import { paths } from '~/lib/paths'
import { site } from '~/lib/site'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { focusPageHeading } from '~/ui/pageHeading'
import { RetryButton } from '~/ui/RetryButton'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { AuthLayout } from './AuthLayout'
import { BackLink } from './AuthLinks'
import type { verifyLoader } from './loader'

/** The page of a link that confirms a registration: says whether it was confirmed, and what to do if not. */
export function VerifyPage() {
  useTitle(t`Confirm email address`)
  const { outcome, message } = useLoaderData<typeof verifyLoader>()
  useRescuedFocus(outcome === 'failed', focusPageHeading)
  // The link may have been used before, in another tab or on another device.
  const unusable = {
    title: t`This link can't be used any more`,
    subtitle: t`If you have already confirmed your email address, sign in or wait for the approval.`,
  }
  const { title, subtitle } = {
    confirmed: { title: t`Email address confirmed`, subtitle: t`Your corporation is waiting for approval.` },
    invalid: unusable,
    refused: unusable,
    failed: { title: t`Almost confirmed`, subtitle: t`The last step failed.` },
  }[outcome]
  return (
    <AuthLayout title={title} subtitle={subtitle}>
      <Notice kind={outcome === 'confirmed' ? 'success' : 'error'} className="mb-5">
        {message}
      </Notice>
      <div className="grid gap-2">
        {outcome === 'failed' && <RetryButton className="w-full" />}
        {outcome === 'invalid' && site.signup && (
          <Link replace to={paths.signup} className={buttonClass('secondary', 'w-full')}>
            {t`Register your company`}
          </Link>
        )}
        <BackLink replace />
      </div>
    </AuthLayout>
  )
}
