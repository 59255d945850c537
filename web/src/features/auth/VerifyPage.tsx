import { t } from '@lingui/core/macro'
import { useLoaderData } from 'react-router'
import { useTitle } from '~/lib/title'
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
  const { title, subtitle } = {
    confirmed: { title: t`Email address confirmed`, subtitle: t`Your corporation is waiting for approval.` },
    refused: { title: t`Not confirmed`, subtitle: t`This link couldn't confirm your email address.` },
    failed: { title: t`Almost confirmed`, subtitle: t`The last step failed.` },
  }[outcome]
  return (
    <AuthLayout title={title} subtitle={subtitle}>
      <Notice kind={outcome === 'confirmed' ? 'success' : 'error'} className="mb-5">
        {message}
      </Notice>
      <div className="grid gap-2">
        {outcome === 'failed' && <RetryButton className="w-full" />}
        <BackLink replace />
      </div>
    </AuthLayout>
  )
}
