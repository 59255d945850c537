import { t } from '@lingui/core/macro'
import { ownMoney } from '~/lib/format'

type Props = { breakEven: number; lowest: number | undefined; asking: number }

/** A scale that shows the asking price relative to the break-even price and to the minimum price (`lowest`). */
export function PriceScale({ breakEven, lowest, asking }: Props) {
  const known = [breakEven, asking, ...(lowest === undefined ? [] : [lowest])]
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const margin = Math.max(most - least, most / 100, 1) * 0.15
  const place = (price: number) => ((price - least + margin) / (most - least + 2 * margin)) * 100
  const [loss, good] = [place(breakEven), place(Math.max(lowest ?? breakEven, breakEven))]
  const marks: [string, number][] = [
    [t`Break-even`, breakEven],
    ...(lowest === undefined ? [] : ([[t`Minimum price`, lowest]] satisfies [string, number][])),
  ]
  // The names are in the order of the marks.
  marks.sort(([, one], [, other]) => one - other)
  return (
    <div className="mt-2">
      <div aria-hidden className="relative h-4">
        <div className="absolute inset-x-0 top-1.5 flex h-1.5 overflow-hidden rounded-full">
          <span className="bg-danger/30" style={{ width: `${loss}%` }} />
          <span className="bg-warning/40" style={{ width: `${good - loss}%` }} />
          <span className="flex-1 bg-success/40" />
        </div>
        {marks.map(([name, price]) => (
          <span
            key={name}
            className="absolute top-0 h-4 w-0.5 -translate-x-1/2 bg-ink"
            style={{ left: `${place(price)}%` }}
          />
        ))}
        <span
          className="absolute top-0.5 size-3.5 -translate-x-1/2 rounded-full border-3 border-fill bg-card"
          style={{ left: `${place(asking)}%` }}
        />
      </div>
      <dl className="mt-1 flex flex-wrap gap-x-6 gap-y-1 text-xs tabular-nums">
        {marks.map(([name, price]) => (
          <div key={name} className="flex flex-wrap gap-x-1.5">
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium">{ownMoney(price)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
