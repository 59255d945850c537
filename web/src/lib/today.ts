/** Returns the date of a point in time in the browser's time zone. */
export function localDay(at: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}

/** Returns today's date in the browser's time zone. */
export const today = () => localDay(new Date())

/** Returns whether a point in time is today in the browser's time zone. */
export const isToday = (time: string, now = new Date()) => localDay(new Date(time)) === localDay(now)

/** Returns the start of the day that is `later` days after `day`, in the browser's time zone, as an ISO timestamp. */
export function startOfDay(day: Date, later: number): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).toISOString()
}
