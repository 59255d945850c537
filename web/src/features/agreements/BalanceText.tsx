import { t } from '@lingui/core/macro'
import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import type { Agreement, Vehicle } from '~/core'
import type { ListsCore } from '~/core/lists'
import { ownMoney } from '~/lib/format'
import { useMayReadCosts, useVatRate } from '~/records/vehicles/costs'
import { Announced } from '~/ui/Announced'
import { type AgreementValues, toInput } from './values'

type Props = {
  form: UseFormReturn<AgreementValues>
  rules: ListsCore
  agreement: Agreement | undefined
  vehicles: Vehicle[]
}

/** The totals of an agreement while it is typed. */
export function BalanceText({ form, rules, agreement, vehicles }: Props) {
  const mayReadCosts = useMayReadCosts()
  const rate = useVatRate()
  useWatch({ control: form.control })
  const input = toInput(rules, form.getValues(), mayReadCosts)
  const { totals, margin, commission } = rules.agreementBalance(
    input,
    agreement,
    mayReadCosts ? vehicles : [],
    rate,
  )
  const hasIn = input.legs.some(({ direction }) => rules.legDirection(input.type, direction) === 'In')
  if (input.legs.length === 0 || (hasIn && !mayReadCosts)) return null
  const [out, part, pay] = [ownMoney(totals.out_total), ownMoney(-totals.in_total), ownMoney(totals.to_pay)]
  const profit = margin && ownMoney(margin.profit)
  const deposit = totals.deposit && ownMoney(totals.deposit)
  const isCancelled = agreement?.state === 'Cancelled'
  const share = commission !== undefined && ownMoney(commission)
  const parts = [
    t`Vehicles out ${out}`,
    hasIn && t`Vehicles in ${part}`,
    deposit && t`Deposit ${deposit}`,
    !isCancelled && t`To pay ${pay}`,
    !isCancelled && profit && t`Margin ${profit}`,
    share && t`Commission ${share}`,
  ]
  return (
    <div className="mb-2 text-sm text-muted tabular-nums sm:col-span-2">
      <Announced text={parts.filter(Boolean).join(' · ')} />
    </div>
  )
}
