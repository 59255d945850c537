import { dateLocale } from '~/language'
import { once } from './once'

export { count } from '~/language'

const moments = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }))
const days = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium' }))
const exactly = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'long' }))

/** Formats a timestamp in the browser's time zone. */
export const moment = (time: string) => moments().format(new Date(time))

/** Formats the date of a timestamp in the browser's time zone. */
export const day = (time: string) => days().format(new Date(time))

/** Formats a timestamp to the second, for tooltips. */
export const exactMoment = (time: string) => exactly().format(new Date(time))
