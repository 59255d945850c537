import { t } from '@lingui/core/macro'
import { useTitle } from '~/lib/title'
import { WaitingPage } from './WaitingPage'

/** Shown while the link that confirms a registration is being verified. */
export function VerifyFallback() {
  useTitle(t`Confirm email address`)
  return <WaitingPage title={t`Confirming your email address`} />
}
