import { t } from '@lingui/core/macro'
import { lists } from '~/core/lists'
import { count, fromNow } from '~/lib/format'

/** The choice "Exact date". A space, because an empty value would mean that no choice was made. */
export const EXACT = ' '

/** The choices "Days ago" and "Days from now", each with the value that it suggests. A value begins with its choice. */
export const suggestedValues = { 'today-': 'today-30', 'today+': 'today+14' }

export type Days = keyof typeof suggestedValues
export const isDays = (choice: string): choice is Days => choice in suggestedValues

/**
 * Returns the choice to which a form's value of a date or a time belongs: `today-` for `today-30`, the value itself for
 * other relative dates such as `month`, and otherwise `EXACT`.
 */
export function choiceOf(value: string): string {
  const days = value.slice(0, 'today-'.length)
  return isDays(days) ? days : lists?.relativeDate(value) ? value : EXACT
}

/** Returns a relative date in words, such as "30 days ago" or "this month"; undefined for any other text. */
export function relativeText(text: string): string | undefined {
  const date = lists?.relativeDate(text)
  if (!date) return undefined
  const { period, later } = date
  // The words of `fromNow` for other distances, such as "in 14 days", don't fit after those of "is before".
  if (Math.abs(later) <= 1) return fromNow(later, period)
  const number = count(Math.abs(later))
  switch (period) {
    case 'day':
      return later < 0 ? t`${number} days ago` : t`${number} days from now`
    case 'month':
      return later < 0 ? t`${number} months ago` : t`${number} months from now`
    case 'year':
      return later < 0 ? t`${number} years ago` : t`${number} years from now`
  }
}
