import { t } from '@lingui/core/macro'
import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import type { ListsCore } from '~/core/lists'
import { ownMoney } from '~/lib/format'
import { useVatRate } from '~/records/vehicles/costs'
import { consignedText } from '~/records/vehicles/words'
import { Announced } from '~/ui/Announced'
import type { inputOf } from './values'

type Props = { form: UseFormReturn<ReturnType<typeof inputOf>>; rules: ListsCore }

/**
 * Shows VAT, margin and break-even price of a sale at the asking price, calculated from the form while the user types.
 */
export function MarginText({ form, rules }: Props) {
  const [asking_price, purchase_price, costs, vat_scheme, ownership] = useWatch({
    control: form.control,
    name: ['asking_price', 'purchase_price', 'costs', 'vat_scheme', 'ownership'],
  })
  const margin = rules.vehicleMargin({ asking_price, purchase_price, costs, vat_scheme }, useVatRate())
  const [vat = '', profit = '', breakEven = ''] = margin
    ? [margin.vat, margin.profit, margin.break_even].map(ownMoney)
    : []
  return (
    <div className="mb-2 text-sm text-muted tabular-nums sm:col-span-2">
      <Announced
        text={
          margin
            ? t`VAT ${vat} · Margin ${profit} · Break-even ${breakEven}`
            : ownership === 'Consigned' && !purchase_price
              ? consignedText()
              : t`Enter the asking price and the purchase price to see the margin.`
        }
      />
    </div>
  )
}
