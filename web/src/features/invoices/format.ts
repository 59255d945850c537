import { core } from '~/core'
import { dateLocale } from '~/language'
import { once } from '~/lib/once'

// A date without a time has no time zone: it is parsed and formatted in the same one, so that it is the same everywhere.
const days = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: 'UTC' }))
const prices = once(
  () => new Intl.NumberFormat(dateLocale, { style: 'currency', currency: core.invoiceCurrency() }),
)

/** Formats a `yyyy-MM-dd` date. */
export const calendarDay = (date: string) => days().format(new Date(`${date}T00:00:00Z`))

/** Formats a price with its currency. */
export const price = (pounds: number) => prices().format(pounds)

/** Returns that something failed and, if the server says it, why. */
export const failure = (failed: string, why: string | undefined) =>
  why && why !== failed ? `${failed} ${why}` : failed
