import { plural, t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Dashboard, InvoiceFigures } from '~/core'
import { count, percent } from '~/lib/format'
import { INVOICED, pricedStockAddress, soldAddress, stockAddress, stockAgeAddress } from './addresses'
import { amountFormats, ownAmountFormats } from './format'

/** A growth of more percent than this says little, so it is not shown. */
const MAX_GROWTH = 1_000

type Figure = {
  name: string
  value: string
  /** The exact value, if `value` is abbreviated. */
  exact?: string
  change?: ReactNode
  note: string
  to: string
}

/** What changed since last month, this month's sales and the stock: one card each, with a link to its list. */
export function FigureCards({ dashboard }: { dashboard: Dashboard }) {
  const figures = figuresOf(dashboard)
  if (figures.length === 0) return null
  return (
    <ul
      aria-label={t`Figures`}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(9.5rem,34%)),1fr))] gap-px overflow-hidden rounded-xl border border-line bg-line lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none [&>:last-child:nth-child(odd)]:max-lg:col-span-full"
    >
      {figures.map(({ name, value, exact, change, note, to }) => (
        <li key={name} className="grid bg-card">
          <Link to={to} className="block p-4 transition-colors hover:bg-subtle md:p-5">
            <span className="block text-muted">{name}</span>
            <span className="mt-1 flex flex-wrap items-baseline gap-x-2">
              <span title={exact} className="text-2xl font-semibold tracking-tight tabular-nums">
                {value}
              </span>
              {change}
            </span>
            <span className="mt-1 block text-xs text-muted tabular-nums">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function figuresOf({ invoices, agreements, vehicles }: Dashboard): Figure[] {
  const figures: Figure[] = []
  if (invoices) {
    const [now, before] = valueOfMonth(invoices)
    const { short, full } = amountFormats()
    const growth = Math.round(((now - before) / before) * 100)
    figures.push({
      name: t`Invoiced this month`,
      value: short(now),
      exact: full(now),
      change: before > 0 && growth <= MAX_GROWTH && <Change by={growth} text={percent(Math.abs(growth))} />,
      note: t`${short(before)} by the same day last month`,
      to: INVOICED,
    })
  }
  if (agreements) {
    const { this_month: now, last_month: before } = agreements
    figures.push({
      name: t`Sold this month`,
      value: count(now),
      change: <Change by={now - before} text={count(Math.abs(now - before))} />,
      note: t`${count(before)} by the same day last month`,
      to: soldAddress(),
    })
  }
  if (vehicles) {
    const { short, full } = ownAmountFormats()
    // The last age has no end, so its vehicles have been in stock for more than the days before its start.
    const oldest = vehicles.ages.at(-1)
    const { from = 1, count: old = 0 } = oldest ?? {}
    const days = from - 1
    figures.push({
      name: t`Stock value`,
      value: short(vehicles.value),
      exact: full(vehicles.value),
      note: plural(vehicles.priced, {
        one: '# vehicle at its asking price',
        other: '# vehicles at their asking prices, consigned ones included',
      }),
      to: pricedStockAddress(),
    })
    figures.push({
      name: t`Days in stock, average`,
      value: vehicles.average_days === undefined ? '–' : count(vehicles.average_days),
      note: plural(old, {
        one: `# vehicle for more than ${days} days`,
        other: `# vehicles for more than ${days} days`,
      }),
      to: oldest && old > 0 ? stockAgeAddress(oldest) : stockAddress(),
    })
  }
  return figures
}

/** Returns what was invoiced this month, up to today, and last month up to the same day. */
function valueOfMonth({ this_month, last_month }: InvoiceFigures): [now: number, before: number] {
  const sameDay = Math.min(this_month.length, last_month.length)
  return [this_month.at(-1) ?? 0, last_month[sameDay - 1] ?? 0]
}

/** By how much a figure is higher or lower than before. */
function Change({ by, text }: { by: number; text: string }) {
  if (by === 0) return null
  const Arrow = by > 0 ? ArrowUp : ArrowDown
  return (
    <span className="inline-flex items-center gap-0.5 text-sm font-medium text-muted tabular-nums">
      <Arrow aria-hidden className="size-3.5" />
      <span className="sr-only">{by > 0 ? t`up by` : t`down by`} </span>
      {text}
    </span>
  )
}
