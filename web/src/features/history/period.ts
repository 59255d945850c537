/** The periods that entries can be filtered by. */
export const PERIODS = ['today', 'week', 'month', 'custom'] as const
export type Period = (typeof PERIODS)[number]

/** A period as in the URL. `from` and `to` are days of a custom one, such as 2026-01-31, or empty. Both are included. */
export type Range = { period: Period | ''; from: string; to: string }

/** The number of days before today with which a period begins. */
const earlierDays = { today: 0, week: 6, month: 29 }

/** Returns a day if it is one, otherwise an empty text. */
export const readDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

/** Returns the start of a day in the browser's time zone, this number of days later. */
function startOfDay(day: Date, later: number): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).toISOString()
}

/** Returns the first time of a period and the time after its last. Either is empty if the period has no such limit. */
export function instantsOf({ period, from, to }: Range, now = new Date()): { from: string; to: string } {
  if (period === '') return { from: '', to: '' }
  if (period !== 'custom') return { from: startOfDay(now, -earlierDays[period]), to: '' }
  const start = (day: string, later = 0) => day && startOfDay(new Date(`${day}T00:00`), later)
  return { from: start(from), to: start(to, 1) }
}
