import { core } from '~/core'
import { locale, regionalLocale } from '~/language'
import { count } from '~/lib/format'
import { once } from '~/lib/once'

// Months are parsed and formatted in UTC, so that they are the same in every time zone.
const month = (style: Intl.DateTimeFormatOptions) => {
  const format = once(() => new Intl.DateTimeFormat(regionalLocale, { ...style, timeZone: 'UTC' }))
  return (text: string) => format().format(new Date(`${text}-01T00:00:00Z`))
}
const short = month({ month: 'short' })
const long = month({ month: 'short', year: 'numeric' })

/** Formats a `yyyy-MM` month in the app's language: `short` without and `long` with the year. */
export const monthName = (text: string) => ({ short: short(text), long: long(text) })

/** The functions that format a chart's numbers, in full and abbreviated. */
export type NumberFormats = { full: (value: number) => string; short: (value: number) => string }

const briefCounts = once(() => new Intl.NumberFormat(locale, { notation: 'compact' }))

export const countFormats: NumberFormats = { full: count, short: value => briefCounts().format(value) }

/** Returns the formats of amounts in the currency of invoices. */
export function amountFormats(): NumberFormats {
  const currency = { style: 'currency', currency: core.invoiceCurrency() } as const
  const full = new Intl.NumberFormat(regionalLocale, currency)
  const short = new Intl.NumberFormat(regionalLocale, { ...currency, notation: 'compact' })
  return { full: value => full.format(value), short: value => short.format(value) }
}
