import { t } from '@lingui/core/macro'
import { LoaderCircle } from 'lucide-react'
import { useTitle } from '~/lib/title'
import { AuthLayout } from './AuthLayout'

/** Shown while a registration is confirmed. */
export function VerifyFallback() {
  useTitle(t`Confirm email address`)
  return (
    <AuthLayout title={t`Confirming your email address`} subtitle={t`This only takes a moment.`}>
      <div role="status" className="flex justify-center py-6">
        <LoaderCircle aria-hidden className="size-7 animate-spin text-muted motion-reduce:animate-none" />
        <span className="sr-only">{t`Confirming your email address`}</span>
      </div>
    </AuthLayout>
  )
}
