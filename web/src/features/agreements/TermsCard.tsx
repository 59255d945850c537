import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Agreement } from '~/core'
import { calendarDay, ownMoney } from '~/lib/format'
import { useSession } from '~/lib/session'
import { useLists } from '~/records/useFields'
import { useMayReadCosts } from '~/records/vehicles/costs'
import { Card, Facts } from '~/ui/Card'
import { commissionText, warrantyText } from './words'

/** What was agreed besides the prices. */
export function TermsCard({ agreement }: { agreement: Agreement }) {
  const { type, agreed_on, delivered_on, exclusive_until, minimum_price } = agreement
  const { rules } = useLists()
  const { country } = useSession().profile.corp
  const mayReadCosts = useMayReadCosts()
  const facts: [string, ReactNode][] = [
    [t`Warranty`, warrantyText(agreement, rules?.usualMileageUnit(country))],
    [t`Agreed on`, agreed_on ? calendarDay(agreed_on) : t`Not yet`],
    [t`Delivered on`, delivered_on ? calendarDay(delivered_on) : t`Not yet`],
  ]
  if (exclusive_until) facts.push([t`Exclusive until`, calendarDay(exclusive_until)])
  if (type === 'Agency') facts.push([t`Commission`, commissionText(agreement)])
  return (
    <Card title={t`Terms`}>
      <Facts facts={facts} />
      {mayReadCosts && minimum_price !== undefined && (
        <div className="mt-3 print:hidden">
          <Facts facts={[[t`Minimum price`, ownMoney(minimum_price)]]} />
        </div>
      )}
    </Card>
  )
}
