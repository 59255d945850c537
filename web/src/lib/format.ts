import { dateLocale } from '~/language'
import { once } from './once'

export { count } from '~/language'

const moments = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }))
const days = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium' }))
const exactly = once(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'long' }))

/** A time in the browser's zone. */
export const moment = (time: string) => moments().format(new Date(time))

/** The day of a time in the browser's zone. */
export const day = (time: string) => days().format(new Date(time))

/** The same to the second, for those who hover. */
export const exactMoment = (time: string) => exactly().format(new Date(time))
