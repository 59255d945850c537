import { dateLocale, locale } from '~/language'
import { once } from './once'

const counts = once(() => new Intl.NumberFormat(locale))
const moments = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }))
const days = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium' }))
const exactly = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'long' }))

/** A count with its thousands apart, as in the sentences of core. Few have any, so that most screens need no formatter. */
export const count = (value: number) => (value < 1000 ? String(value) : counts().format(value))

/** A time in the browser's zone. */
export const moment = (time: string) => moments().format(new Date(time))

/** The day of a time in the browser's zone. */
export const day = (time: string) => days().format(new Date(time))

/** The same to the second, for those who hover. */
export const exactMoment = (time: string) => exactly().format(new Date(time))
