import { t } from '@lingui/core/macro'
import { figure, ownMoney } from '~/lib/format'
import { cx } from '~/ui/cx'

type Props = {
  margin: { price: number; taxable: number; vat: number; costs: number; profit: number }
  purchase: number
  /** The rate of VAT in percent. */
  rate: number
  /** The labels of the price, the VAT and the profit. */
  names: { price: string; vat: string; profit: string }
}

/** The margin of a sale, and how it is calculated. */
export function MarginLines({ margin, purchase, rate, names }: Props) {
  const [part, whole] = [figure(rate), figure(100 + rate)]
  const basis = ownMoney(margin.taxable)
  const lines: [string, string, string?][] = [
    [names.price, ownMoney(margin.price)],
    [t`Purchase price`, ownMoney(-purchase)],
    [names.vat, ownMoney(-margin.vat), `${basis} × ${part}/${whole}`],
    [t`Costs, net`, ownMoney(-margin.costs)],
  ]
  return (
    <dl className="grid gap-y-2 tabular-nums">
      {lines.map(([name, value, note]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-muted">
            {name} {note && <span className="text-xs">{note}</span>}
          </dt>
          <dd className="ml-auto">{value}</dd>
        </div>
      ))}
      <div className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-2 font-semibold">
        <dt>{names.profit}</dt>
        <dd className={cx('ml-auto', margin.profit < 0 ? 'text-danger' : 'text-success')}>
          {ownMoney(margin.profit)}
        </dd>
      </div>
    </dl>
  )
}
