import { core } from '~/core'
import { locale, regionalLocale } from '~/language'
import { count } from '~/lib/format'
import { once } from '~/lib/once'

// A calendar month has no time zone: parsed and formatted in UTC, it is the same everywhere.
const month = (style: Intl.DateTimeFormatOptions) => {
  const format = once(() => new Intl.DateTimeFormat(regionalLocale, { ...style, timeZone: 'UTC' }))
  return (text: string) => format().format(new Date(`${text}-01T00:00:00Z`))
}
const short = month({ month: 'short' })
const long = month({ month: 'short', year: 'numeric' })

/** Formats a `yyyy-MM` month in the app's language, with and without its year. */
export const monthName = (text: string) => ({ short: short(text), long: long(text) })

/** How a chart's numbers are formatted, in full and abbreviated. */
export type NumberFormats = { full: (value: number) => string; short: (value: number) => string }

const briefCounts = once(() => new Intl.NumberFormat(locale, { notation: 'compact' }))

export const counts: NumberFormats = { full: count, short: value => briefCounts().format(value) }

/** Formats amounts in the currency of invoices. */
export function sums(): NumberFormats {
  const currency = { style: 'currency', currency: core.invoiceCurrency() } as const
  const full = new Intl.NumberFormat(regionalLocale, currency)
  const short = new Intl.NumberFormat(regionalLocale, { ...currency, notation: 'compact' })
  return { full: value => full.format(value), short: value => short.format(value) }
}
