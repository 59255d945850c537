import { core } from '~/core'
import { regionalLocale } from '~/language'
import { once } from './once'

export { count } from '~/language'

// Without a separator in four digits, because some numbers are years.
const figures = once(() => new Intl.NumberFormat(regionalLocale, { useGrouping: 'min2' }))

/** Formats a number of a record, such as a mileage or a model year. */
export const figure = (number: number) => figures().format(number)

const percents = once(
  () => new Intl.NumberFormat(regionalLocale, { style: 'percent', maximumFractionDigits: 2 }),
)

/** Formats a percentage. 7.25 is 7.25 %. */
export const percent = (value: number) => percents().format(value / 100)

const moments = once(
  () => new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'medium', timeStyle: 'short' }),
)
const days = once(() => new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'medium' }))
const times = once(() => new Intl.DateTimeFormat(regionalLocale, { timeStyle: 'short' }))
const exactly = once(() => new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'full', timeStyle: 'long' }))

/** Formats a timestamp in the browser's time zone. */
export const moment = (time: string) => moments().format(new Date(time))

/** Formats the date of a timestamp in the browser's time zone. */
export const day = (time: string) => days().format(new Date(time))

/** Formats the time of day of a timestamp in the browser's time zone. */
export const timeOfDay = (time: string) => times().format(new Date(time))

/** Formats a timestamp to the second, for tooltips. */
export const exactMoment = (time: string) => exactly().format(new Date(time))

// A date without a time has no time zone: it is parsed and formatted in the same one, so that it is the same everywhere.
const calendarDays = once(
  () => new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'medium', timeZone: 'UTC' }),
)
const prices = once(
  () => new Intl.NumberFormat(regionalLocale, { style: 'currency', currency: core.invoiceCurrency() }),
)

/** Formats a `yyyy-MM-dd` date. */
export const calendarDay = (date: string) => calendarDays().format(new Date(`${date}T00:00:00Z`))

/** Formats a price with its currency. */
export const price = (pounds: number) => prices().format(pounds)

let ownCurrency = 'GBP'
let ownPrices: Intl.NumberFormat | undefined

/** Sets the currency of the corporation, in which the prices of its vehicles are. */
export function setOwnCurrency(currency: string | undefined) {
  ownCurrency = currency ?? 'GBP'
  ownPrices = undefined
}

/** Formats a price in the currency of the corporation. */
export const ownPrice = (amount: number) => {
  ownPrices ??= new Intl.NumberFormat(regionalLocale, { style: 'currency', currency: ownCurrency })
  return ownPrices.format(amount)
}

/** Returns the name of a currency with its code, such as "Swedish krona (SEK)". */
export const currencyName = (code: string) =>
  `${new Intl.DisplayNames(regionalLocale, { type: 'currency' }).of(code) ?? code} (${code})`

/** Returns the name of a country. */
export const countryName = (code: string) =>
  new Intl.DisplayNames(regionalLocale, { type: 'region' }).of(code) ?? code
