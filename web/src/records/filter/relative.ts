import { t } from '@lingui/core/macro'
import { count, fromNow } from '~/lib/format'

/** A relative date as core reads it: a day, month or year, and its distance from the current one. */
const RELATIVE = /^(today|month|year)([+-]\d{1,4})?$/

const units = { today: 'day', month: 'month', year: 'year' } as const

export const isRelative = (text: string) => RELATIVE.test(text)

/** Returns a relative date in words, such as "30 days ago" or "this month"; undefined for any other text. */
export function relativeText(text: string): string | undefined {
  const [, word, distance = '0'] = RELATIVE.exec(text) ?? []
  if (!word) return undefined
  const unit = units[word as keyof typeof units]
  const days = count(-Number(distance))
  // In Swedish, the words of `fromNow` don't fit after those of "is before".
  return unit === 'day' && Number(distance) < -1 ? t`${days} days ago` : fromNow(Number(distance), unit)
}
