import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { AuthLayout } from './AuthLayout'

/** Where a forgotten password leads for now. */
export function HelpPage() {
  useTitle('Forgot password')
  return (
    <AuthLayout title="Forgot your password?" subtitle="This version can't send reset links yet.">
      <p className="mb-7">
        Ask whoever set up your account to help you in. Your data stays as it is, and nothing is lost while
        you wait.
      </p>
      <Link to={paths.login} className={buttonClass('secondary', 'w-full')}>
        <ArrowLeft aria-hidden className="size-4" />
        Back to sign in
      </Link>
    </AuthLayout>
  )
}
