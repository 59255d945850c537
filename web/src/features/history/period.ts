import { isDay, startOfDay } from '~/lib/today'

/** The periods by which history entries can be filtered. */
export const PERIODS = ['today', 'week', 'month', 'custom'] as const
export type Period = (typeof PERIODS)[number]

/**
 * A period as in the URL. For `custom`, `from` and `to` are the first and last day (2026-01-31), or empty for no limit.
 */
export type Range = { period: Period | ''; from: string; to: string }

/** How many days before today each period begins. */
const earlierDays = { today: 0, week: 6, month: 29 }

/** Returns `text` if it is a valid `yyyy-MM-dd` date, otherwise an empty text. */
export const readDay = (text: string) => (isDay(text) ? text : '')

/**
 * Returns a period as timestamps: `from` inclusive, `to` exclusive. Either is empty if the period has no such limit.
 */
export function timestampsOf({ period, from, to }: Range, now = new Date()): { from: string; to: string } {
  if (period === '') return { from: '', to: '' }
  if (period !== 'custom') return { from: startOfDay(now, -earlierDays[period]), to: '' }
  const start = (day: string, later = 0) => day && startOfDay(new Date(`${day}T00:00`), later)
  return { from: start(from), to: start(to, 1) }
}
