import { LoaderCircle } from 'lucide-react'
import { Link, useRevalidator, useRouteError } from 'react-router'
import { paths } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { useTitle } from '~/lib/title'
import { Button, buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { AuthLayout } from './AuthLayout'

/** Shows while a sign-in at another provider is completed. */
export function CallbackPage() {
  useTitle('Signing in')
  return (
    <AuthLayout title="Signing you in" subtitle="This takes a moment.">
      <div role="status" className="flex justify-center py-6">
        <LoaderCircle aria-hidden className="size-7 animate-spin text-muted motion-reduce:animate-none" />
        <span className="sr-only">Signing you in</span>
      </div>
    </AuthLayout>
  )
}

/** The server couldn't be asked. What it is asked with is good for a minute, so another try may do. */
export function CallbackFault() {
  const problem = problemOf(useRouteError())
  const { revalidate, state } = useRevalidator()
  useTitle('Signing in')
  return (
    <AuthLayout title="Almost signed in" subtitle="The last step did not work.">
      <Notice kind="error" className="mb-5">
        {problem?.message ?? 'Part of this page could not be loaded.'}
      </Notice>
      <div className="grid gap-2">
        <Button
          kind="primary"
          busy={state === 'loading'}
          onClick={() => void revalidate()}
          className="w-full"
        >
          Try Again
        </Button>
        <Link to={paths.login} replace className={buttonClass('ghost', 'w-full')}>
          Back to sign in
        </Link>
      </div>
    </AuthLayout>
  )
}
