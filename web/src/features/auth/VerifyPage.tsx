import { t } from '@lingui/core/macro'
import { ArrowLeft } from 'lucide-react'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { Button, buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { AuthLayout } from './AuthLayout'
import type { verifyLoader } from './loader'

/** Shows whether a registration was confirmed, and what to do if not. */
export function VerifyPage() {
  useTitle(t`Confirm email address`)
  const { outcome, message } = useLoaderData<typeof verifyLoader>()
  const { revalidate, state } = useRevalidator()
  const { title, subtitle } = {
    confirmed: { title: t`Email address confirmed`, subtitle: t`Your registration is complete.` },
    refused: { title: t`Not confirmed`, subtitle: t`This link couldn't confirm your email address.` },
    failed: { title: t`Almost confirmed`, subtitle: t`The last step failed.` },
  }[outcome]
  return (
    <AuthLayout title={title} subtitle={subtitle}>
      <Notice kind={outcome === 'confirmed' ? 'success' : 'error'} className="mb-5">
        {message}
      </Notice>
      <div className="grid gap-2">
        {outcome === 'failed' && (
          <Button
            kind="primary"
            busy={state === 'loading'}
            onClick={() => void revalidate()}
            className="w-full"
          >
            {t`Try Again`}
          </Button>
        )}
        <Link to={paths.login} replace className={buttonClass('ghost', 'w-full')}>
          <ArrowLeft aria-hidden className="size-4" />
          {t`Back to sign in`}
        </Link>
      </div>
    </AuthLayout>
  )
}
