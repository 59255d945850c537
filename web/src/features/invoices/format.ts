import { core } from '~/core'
import { dateLocale } from '~/language'
import { once } from '~/lib/once'

// A day of the calendar has no zone: it is read and written in the same one, so that it is the same day everywhere.
const days = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: 'UTC' }))
const prices = once(
  () => new Intl.NumberFormat(dateLocale, { style: 'currency', currency: core.invoiceCurrency() }),
)

/** A `yyyy-MM-dd` in the language of the screen. */
export const calendarDay = (date: string) => days().format(new Date(`${date}T00:00:00Z`))

/** A price with its currency, in the language of the screen. */
export const price = (pounds: number) => prices().format(pounds)

/** That something failed, and why, where the server says so. */
export const failure = (failed: string, why: string | undefined) =>
  why && why !== failed ? `${failed} ${why}` : failed
