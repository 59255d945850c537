import { t } from '@lingui/core/macro'
import { lists } from '~/core/lists'
import { count, fromNow } from '~/lib/format'

/** The choice of a date that stays the same. A space, because an empty value would mean that no choice was made. */
export const EXACT = ' '

/** The choices of a number of days, with which the form's value begins, and the values that they suggest. */
export const suggested = { 'today-': 'today-30', 'today+': 'today+14' }

export type Days = keyof typeof suggested
export const isDays = (choice: string): choice is Days => choice in suggested

/** Returns the choice to which a form's value of a date or a time belongs. */
export function choiceOf(value: string): string {
  const days = value.slice(0, 'today-'.length)
  return isDays(days) ? days : lists?.relativeDate(value) ? value : EXACT
}

/** Returns a relative date in words, such as "30 days ago" or "this month"; undefined for any other text. */
export function relativeText(text: string): string | undefined {
  const date = lists?.relativeDate(text)
  if (!date) return undefined
  const { period, later } = date
  const days = count(-later)
  // In Swedish, the words of `fromNow` don't fit after those of "is before".
  return period === 'day' && later < -1 ? t`${days} days ago` : fromNow(later, period)
}
