import { t } from '@lingui/core/macro'
import type { CustomerSummary } from '~/core'
import { messageOf } from '~/core/problem'
import { Button } from '~/ui/Button'
import { NONE } from '~/ui/Card'
import { useCustomerDetails } from './useCustomerDetails'

/** Shows a customer's social security number. It is requested when this is rendered, because lists don't contain it. */
export function SocialSecurityNumber({ customer }: { customer: CustomerSummary }) {
  const { outcome, retry } = useCustomerDetails(customer)
  if (!outcome) {
    return (
      <span role="status" className="flex h-5 items-center">
        <span className="sr-only">{t`Loading`}</span>
        <span aria-hidden className="skeleton h-3.5 w-28" />
      </span>
    )
  }
  if (outcome.ok) return outcome.value.socialSecurityNumber || NONE
  return (
    <span role="alert" className="block">
      <span className="block text-danger">
        {messageOf(outcome.error, t`Failed to load customer details`)}
      </span>
      <Button className="mt-2" onClick={retry}>
        {t`Try Again`}
      </Button>
    </span>
  )
}
