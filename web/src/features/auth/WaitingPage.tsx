import { t } from '@lingui/core/macro'
import { LoaderCircle } from 'lucide-react'
import { AuthLayout } from './AuthLayout'

export function WaitingPage({ title }: { title: string }) {
  return (
    <AuthLayout title={title} subtitle={t`This only takes a moment.`}>
      <div role="status" className="flex justify-center py-6">
        <LoaderCircle aria-hidden className="size-7 animate-spin text-muted motion-reduce:animate-none" />
        <span className="sr-only">{title}</span>
      </div>
    </AuthLayout>
  )
}
