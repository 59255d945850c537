/** Returns the date of a point in time in the browser's time zone. */
export function localDay(at: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}

/** Returns today's date in the browser's time zone. */
export const today = () => localDay(new Date())

/** Returns whether a text is a `yyyy-MM-dd` day of the calendar. `Date.parse` takes 2026-02-30 for a day in March. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}

/** Returns whether a point in time is today in the browser's time zone. */
export const isToday = (time: string, now = new Date()) => localDay(new Date(time)) === localDay(now)

/** Returns the start of the day that is `later` days after `day`, in the browser's time zone, as an ISO timestamp. */
export function startOfDay(day: Date, later: number): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).toISOString()
}
