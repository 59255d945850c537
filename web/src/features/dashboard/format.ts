import { core } from '~/core'
import { dateLocale, locale } from '~/language'
import { count, ownCurrency } from '~/lib/format'
import { once } from '~/lib/once'

// Months are parsed and formatted in UTC, so that they are the same in every time zone.
const month = (style: Intl.DateTimeFormatOptions) => {
  const format = once(() => new Intl.DateTimeFormat(dateLocale, { ...style, timeZone: 'UTC' }))
  return (text: string) => format().format(new Date(`${text}-01T00:00:00Z`))
}
const short = month({ month: 'short' })
const long = month({ month: 'short', year: 'numeric' })

/** Formats a `yyyy-MM` month in the app's language: `short` without and `long` with the year. */
export const monthName = (text: string) => ({ short: short(text), long: long(text) })

/** Returns the name of a `yyyy-MM` month without its year. */
export const nameOfMonth = month({ month: 'long' })

/** Returns the names of the `number`th day of a month. */
export const dayName = (number: number) => ({ long: String(number), short: String(number) })

/** The functions that format a chart's numbers: in full, abbreviated, and `plain`: without the currency. */
export type NumberFormats = Record<'full' | 'short' | 'plain', (value: number) => string>

const briefCounts = once(() => new Intl.NumberFormat(locale, { notation: 'compact' }))

const briefCount = (value: number) => briefCounts().format(value)

export const countFormats: NumberFormats = { full: count, short: briefCount, plain: briefCount }

function formatsOf(currency: string): NumberFormats {
  const style = { style: 'currency', currency } as const
  const full = new Intl.NumberFormat(dateLocale, { ...style, trailingZeroDisplay: 'stripIfInteger' })
  const brief = { notation: 'compact', minimumFractionDigits: 0, maximumSignificantDigits: 3 } as const
  const plain = new Intl.NumberFormat(dateLocale, brief)
  return {
    full: value => full.format(value),
    // `Intl` would put the currency of an abbreviated amount before it in regions that have it after all others.
    short: value => full.format(value).replace(/\d(.*\d)?/, plain.format(Math.abs(value))),
    plain: value => plain.format(value),
  }
}

/** Returns the formats of amounts in the currency of invoices. */
export const amountFormats = () => formatsOf(core.invoiceCurrency())

/** Returns the formats of amounts in the currency of the corporation's vehicle prices. */
export const ownAmountFormats = () => formatsOf(ownCurrency())
