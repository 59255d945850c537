import { t } from '@lingui/core/macro'
import { type CustomerSummary, core } from '~/core'
import { messageOf } from '~/lib/problem'
import { Button } from '~/ui/Button'
import { NONE } from '~/ui/Card'
import { useRecord } from './record'

/** The social security number of a customer, which lists don't have: it is fetched when this is shown. */
export function SocialSecurityNumber({ customer }: { customer: CustomerSummary }) {
  const { outcome, retry } = useRecord(customer)
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
        {messageOf(outcome.error, core.texts().customers.detailsLoadFailed)}
      </span>
      <Button className="mt-2" onClick={retry}>
        {t`Try Again`}
      </Button>
    </span>
  )
}
