const DAY_MS = 86_400_000

/** Returns the date of a time in the browser's time zone as a number of days. */
const dayOf = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / DAY_MS

/** Returns in how many days a time is; 0 for today and for the past. */
export const daysLeft = (time: string, now = new Date()) => Math.max(dayOf(new Date(time)) - dayOf(now), 0)

/** Returns the remaining part of a period, from 0 to 1. */
export function remainingPart(from: string, to: string, now = Date.now()): number {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return end > start ? Math.min(Math.max((end - now) / (end - start), 0), 1) : 0
}
