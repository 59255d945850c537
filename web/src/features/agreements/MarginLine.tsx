import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import type { Agreement, Vehicle } from '~/core'
import { ownMoney } from '~/lib/format'
import { TextLoading } from '~/records/CardState'
import { useLists } from '~/records/useFields'
import { useVatRate } from '~/records/vehicles/costs'
import { cx } from '~/ui/cx'
import { Sentence } from '~/ui/Sentence'
import { inputOf, toInput } from './values'

const lineClass = 'flex items-start gap-2 border-t border-line px-5 py-3 text-xs text-muted print:hidden'

/** The placeholder of the margin while it is loading. */
export const MarginLoading = () => (
  <p className={lineClass}>
    <span className="h-4">
      <TextLoading width="w-64" />
    </span>
  </p>
)

/** What an agreement leaves, apart from what the customer sees. Nothing without a sold vehicle of known purchase price. */
export function MarginLine({ agreement, vehicles }: { agreement: Agreement; vehicles: Vehicle[] }) {
  const { rules } = useLists()
  const rate = useVatRate()
  const input = toInput(inputOf(agreement), true)
  const margin = rules?.agreementBalance(input, agreement, vehicles, rate).margin
  if (!margin) return null
  return (
    <p className={lineClass}>
      <Lock aria-hidden className="mt-px size-3.5 shrink-0" />
      <span>
        <Sentence
          text={amount =>
            t`Margin of this agreement ${amount} after VAT and costs. Not shown to the customer.`
          }
        >
          <strong
            className={cx('font-semibold tabular-nums', margin.profit < 0 ? 'text-danger' : 'text-success')}
          >
            {ownMoney(margin.profit)}
          </strong>
        </Sentence>
      </span>
    </p>
  )
}
