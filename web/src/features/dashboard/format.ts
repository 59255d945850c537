import { core } from '~/core'
import { dateLocale, locale } from '~/language'
import { count } from '~/lib/format'
import { once } from '~/lib/once'

// A month of the calendar has no zone: it is read and written in the same one, so that it is the same month everywhere.
const month = (style: Intl.DateTimeFormatOptions) => {
  const format = once(() => new Intl.DateTimeFormat(dateLocale, { ...style, timeZone: 'UTC' }))
  return (text: string) => format().format(new Date(`${text}-01T00:00:00Z`))
}
const short = month({ month: 'short' })
const long = month({ month: 'short', year: 'numeric' })

/** A `yyyy-MM` in the language of the screen, with its year and without. */
export const monthName = (text: string) => ({ short: short(text), long: long(text) })

/** How the numbers of a chart are written: in whole, and where there is little room. */
export type Writing = { whole: (value: number) => string; brief: (value: number) => string }

const briefCounts = once(() => new Intl.NumberFormat(locale, { notation: 'compact' }))

export const counts: Writing = { whole: count, brief: value => briefCounts().format(value) }

/** Sums of money, in the currency of invoices. */
export function sums(): Writing {
  const currency = { style: 'currency', currency: core.invoiceCurrency() } as const
  const whole = new Intl.NumberFormat(dateLocale, currency)
  const brief = new Intl.NumberFormat(dateLocale, { ...currency, notation: 'compact' })
  return { whole: value => whole.format(value), brief: value => brief.format(value) }
}
