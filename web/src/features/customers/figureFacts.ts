import { t } from '@lingui/core/macro'
import type { CustomerSummary } from '~/core'
import { calendarDay, count, shortOwnMoney } from '~/lib/format'
import { shownText, warrantyName, warrantyPeriodName } from '~/lib/words'

/** Returns what a customer has bought, as facts: the figures that can follow from agreements, without the agreement. */
export function figureFacts(customer: CustomerSummary): [name: string, value: string | undefined][] {
  const warranty = [warrantyName(customer.warranty), warrantyPeriodName(customer.warrantyPeriod)].map(
    shownText,
  )
  return [
    [t`Latest Purchases`, customer.latestPurchase && calendarDay(customer.latestPurchase)],
    [t`Orders`, count(customer.numberOfOrders)],
    [t`Total spent`, shortOwnMoney(customer.totalSpent)],
    // After an erasure, both texts are the same.
    [t`Warranty`, [...new Set(warranty)].filter(Boolean).join(', ')],
  ]
}
