import { dateLocale, locale } from '~/language'

const counts = new Intl.NumberFormat(locale)
const moments = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })
const days = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium' })
const exactly = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'long' })

/** A count with its thousands apart, as in the sentences of core. */
export const count = (value: number) => counts.format(value)

/** A time in the browser's zone. */
export const moment = (time: string) => moments.format(new Date(time))

/** The day of a time in the browser's zone. */
export const day = (time: string) => days.format(new Date(time))

/** The same to the second, for those who hover. */
export const exactMoment = (time: string) => exactly.format(new Date(time))
