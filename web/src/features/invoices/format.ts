import { core } from '~/core'
import { dateLocale } from '~/language'

// A day of the calendar has no zone: it is read and written in the same one, so that it is the same day everywhere.
const days = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: 'UTC' })
let prices: Intl.NumberFormat | undefined

/** A `yyyy-MM-dd` in the language of the screen. */
export const calendarDay = (date: string) => days.format(new Date(`${date}T00:00:00Z`))

/** A price with its currency, in the language of the screen. */
export function price(pounds: number): string {
  prices ??= new Intl.NumberFormat(dateLocale, { style: 'currency', currency: core.invoiceCurrency() })
  return prices.format(pounds)
}

/** That something failed, and why, where the server says so. */
export const failure = (failed: string, why: string | undefined) =>
  why && why !== failed ? `${failed} ${why}` : failed
