import { core } from '~/core'
import { dateLocale, locale, regionalLocale } from '~/language'
import { once } from './once'

export { count } from '~/language'

// Numbers of four digits have no thousands separator, because some are years.
const figures = once(() => new Intl.NumberFormat(regionalLocale, { useGrouping: 'min2' }))

/** Formats a number of a record, such as a mileage or a model year. */
export const figure = (number: number) => figures().format(number)

const percents = once(
  () => new Intl.NumberFormat(regionalLocale, { style: 'percent', maximumFractionDigits: 2 }),
)

/** Formats a percentage. 7.25 is 7.25 %. */
export const percent = (value: number) => percents().format(value / 100)

const moments = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }))
const days = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium' }))
const times = once(() => new Intl.DateTimeFormat(dateLocale, { timeStyle: 'short' }))
const exactly = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'long' }))

/** Formats the date and time of a timestamp in the browser's time zone. */
export const moment = (time: string) => moments().format(new Date(time))

/** Formats the date of a timestamp in the browser's time zone. */
export const day = (time: string) => days().format(new Date(time))

/** Formats the time of day of a timestamp in the browser's time zone. */
export const timeOfDay = (time: string) => times().format(new Date(time))

/** Formats the date and time of a timestamp, with seconds, in the browser's time zone. For tooltips. */
export const exactMoment = (time: string) => exactly().format(new Date(time))

// `calendarDay` parses and formats in UTC, so that a date without a time is the same in every time zone.
const calendarDays = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: 'UTC' }))
const prices = once(
  () => new Intl.NumberFormat(regionalLocale, { style: 'currency', currency: core.invoiceCurrency() }),
)

/** Formats a `yyyy-MM-dd` date. */
export const calendarDay = (date: string) => calendarDays().format(new Date(`${date}T00:00:00Z`))

/** Formats an amount in the currency of invoices, with its symbol. */
export const price = (pounds: number) => prices().format(pounds)

const relatives = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

/** Formats a number of days, months or years from now, such as "yesterday" or "last month". */
export const fromNow = (distance: number, unit: 'day' | 'month' | 'year') =>
  relatives().format(distance, unit)

let currency = 'GBP'
let formats: { exact: Intl.NumberFormat; short: Intl.NumberFormat } | undefined

/** Sets the currency of the corporation's vehicle prices; GBP for undefined. */
export function setOwnCurrency(code: string | undefined) {
  currency = code ?? 'GBP'
  formats = undefined
}

/** Returns the currency that `setOwnCurrency` has set. */
export const ownCurrency = () => currency

function ownFormats() {
  const style = { style: 'currency', currency, signDisplay: 'negative' } as const
  formats ??= {
    exact: new Intl.NumberFormat(regionalLocale, style),
    short: new Intl.NumberFormat(regionalLocale, { ...style, trailingZeroDisplay: 'stripIfInteger' }),
  }
  return formats
}

/** Replaces the hyphen before a negative amount, which some languages have, with a minus sign. */
const withMinus = (text: string) => text.replace('-', '−')

/** Formats an amount in the currency that `setOwnCurrency` has set, with its symbol. */
export const ownMoney = (amount: number) => withMinus(ownFormats().exact.format(amount))

/** Formats an amount like `ownMoney`, but without decimals if these are zero, for lists. */
export const shortOwnMoney = (amount: number) => withMinus(ownFormats().short.format(amount))

const currencyNames = once(() => new Intl.DisplayNames(locale, { type: 'currency' }))
const countryNames = once(() => new Intl.DisplayNames(locale, { type: 'region' }))

/** Returns the name of a currency with its code, in the page's language, such as "Swedish krona (SEK)". */
export const currencyName = (code: string) => `${currencyNames().of(code) ?? code} (${code})`

/** Returns the name of the country with an ISO code, in the page's language; the code itself if unknown. */
export const countryName = (code: string) => countryNames().of(code) ?? code

/** Returns countries as choices of a select, sorted by name. */
export const countryChoices = (countries: { code: string }[]) =>
  countries
    .map(({ code }) => ({ value: code, label: countryName(code) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale))
