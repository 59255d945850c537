import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import type { Vehicle } from '~/core'
import { calendarDay, count, ownMoney } from '~/lib/format'
import { costKindNames } from '~/lib/words'
import { useLists } from '~/records/useFields'
import { Button } from '~/ui/Button'

type Props = {
  vehicle: Vehicle
  /** Opens the vehicle's form to add a cost; undefined if the user may not edit vehicles. */
  onAdd: (() => void) | undefined
}

/** The card with the costs of a vehicle, such as repairs. */
export function CostsCard({ vehicle, onAdd }: Props) {
  const { rules } = useLists()
  const costs = vehicle.costs ?? []
  const [net = 0, vat = 0] = rules?.costTotals(costs) ?? []
  const number = 'px-2 py-2 text-right tabular-nums whitespace-nowrap'
  return (
    <section aria-labelledby="costs" className="card p-5 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="costs" className="text-sm font-semibold">
          {t`Costs`}{' '}
          {costs.length > 0 && (
            <span className="ml-2 font-normal text-muted tabular-nums">{count(costs.length)}</span>
          )}
        </h2>
        {onAdd && (
          <Button onClick={onAdd}>
            <Plus aria-hidden className="size-4" />
            {t`Add cost`}
          </Button>
        )}
      </div>
      {costs.length === 0 ? (
        <p className="mt-3 text-muted">{t`No costs yet.`}</p>
      ) : (
        <>
          <div className="mt-3 overflow-x-auto">
            <table className="w-full min-w-56 text-sm">
              <thead className="text-xs text-muted">
                <tr>
                  <th scope="col" className="py-1 pr-2 text-left font-medium max-sm:hidden">{t`Date`}</th>
                  <th scope="col" className="px-2 py-1 text-left font-medium max-sm:pl-0">{t`Kind`}</th>
                  <th scope="col" className="px-2 py-1 text-right font-medium max-sm:hidden">{t`VAT`}</th>
                  <th scope="col" className="py-1 pl-2 text-right font-medium">{t`Net`}</th>
                </tr>
              </thead>
              <tbody>
                {costs.map((cost, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity and no state.
                  <tr key={index} className="border-t border-line align-top">
                    <td className="py-2 pr-2 whitespace-nowrap text-muted max-sm:hidden">
                      {calendarDay(cost.date)}
                    </td>
                    <td className="px-2 py-2 max-sm:pl-0 [overflow-wrap:anywhere]">
                      <span className="font-medium">{costKindNames[cost.kind]}</span>{' '}
                      <span className="text-muted">{cost.note}</span>
                      {/* On a phone, the date has no column, so that words aren't broken. */}
                      <span className="block text-xs text-muted sm:hidden">{calendarDay(cost.date)}</span>
                    </td>
                    <td className={`${number} text-muted max-sm:hidden`}>{ownMoney(cost.vat)}</td>
                    <td className={`${number} pr-0!`}>
                      {ownMoney(cost.net)}
                      <PhoneVat vat={cost.vat} />
                    </td>
                  </tr>
                ))}
              </tbody>
              {rules && (
                <tfoot>
                  <tr className="border-t border-line font-semibold">
                    <th scope="row" className="py-2 text-left">{t`Total`}</th>
                    <td className="max-sm:hidden" />
                    <td className={`${number} font-normal text-muted max-sm:hidden`}>{ownMoney(vat)}</td>
                    <td className={`${number} pr-0!`}>
                      {ownMoney(net)}
                      <PhoneVat vat={vat} />
                    </td>
                  </tr>
                </tfoot>
              )}
            </table>
          </div>
          {vehicle.vat_scheme === 'Margin' && (
            <p className="mt-2 text-xs text-muted">{t`Costs do not reduce the VAT on the margin.`}</p>
          )}
        </>
      )}
    </section>
  )
}

/** The VAT of a cost below its amount, on a phone, where it has no column. */
function PhoneVat({ vat }: { vat: number }) {
  const amount = ownMoney(vat)
  return <span className="block text-xs font-normal text-muted sm:hidden">{t`VAT ${amount}`}</span>
}
