import { t } from '@lingui/core/macro'
import { useTitle } from '~/lib/title'
import { WaitingPage } from './WaitingPage'

/** Shown while a registration is confirmed. */
export function VerifyFallback() {
  useTitle(t`Confirm email address`)
  return <WaitingPage title={t`Confirming your email address`} />
}
