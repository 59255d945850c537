import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import type { Agreement, Vehicle } from '~/core'
import { TextLoading } from '~/records/CardState'
import { useLists } from '~/records/useFields'
import { useVatRate } from '~/records/vehicles/costs'
import { MarginLines } from '~/records/vehicles/MarginLines'
import { consignedText } from '~/records/vehicles/words'
import { inputOf, toInput } from './values'

const outer = 'border-t border-line px-5 py-4 print:hidden'
const inner = 'ml-auto max-w-md'

/** The placeholder of the margin while it is loading. */
export const MarginLoading = () => (
  <div className={outer}>
    <div className={`${inner} grid gap-y-2`}>
      {['price', 'purchase', 'VAT', 'costs', 'margin', 'note'].map(line => (
        <span key={line} className="h-5">
          <TextLoading width="w-full" />
        </span>
      ))}
    </div>
  </div>
)

/**
 * Shows the agreement's margin, separate from the customer's totals, or which vehicles have no purchase price. Renders
 * nothing if no vehicle is sold.
 */
export function AgreementMargin({ agreement, vehicles }: { agreement: Agreement; vehicles: Vehicle[] }) {
  const { rules } = useLists()
  const rate = useVatRate()
  const balance = rules?.agreementBalance(toInput(rules, inputOf(agreement), true), agreement, vehicles, rate)
  if (!balance) return null
  const { margin, without_purchase_price } = balance
  if (!margin) {
    const lacking = vehicles.filter(({ vehicle_id }) => without_purchase_price.includes(vehicle_id))
    return lacking.length > 0 && <NoMargin vehicles={lacking} />
  }
  const names = {
    price: t({ message: 'Price', context: 'vehicle' }),
    vat: t`VAT`,
    profit: t`Margin of this agreement`,
  }
  return (
    <div className={outer}>
      <div className={inner}>
        <MarginLines margin={margin} purchase={margin.purchase} rate={margin.rate} names={names} />
        <NotShown />
      </div>
    </div>
  )
}

const NotShown = () => (
  <p className="mt-3 flex items-start gap-2 text-xs text-muted">
    <Lock aria-hidden className="mt-px size-3.5 shrink-0" />
    {t`Not shown to the customer.`}
  </p>
)

/** Why there is no margin: these vehicles have no purchase price. */
const NoMargin = ({ vehicles }: { vehicles: Vehicle[] }) => (
  <div className={outer}>
    <div className={inner}>
      <div className="grid gap-y-2 text-muted [overflow-wrap:anywhere]">
        {vehicles.map(({ vehicle_id, name, ownership }) => (
          <p key={vehicle_id}>
            {ownership === 'Consigned'
              ? [t`This agreement has no margin, because ${name} is consigned.`, consignedText()].join(' ')
              : t`Enter the purchase price of ${name} to see the margin.`}
          </p>
        ))}
      </div>
      <NotShown />
    </div>
  </div>
)
