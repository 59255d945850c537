const DAY_MS = 86_400_000

/** Returns the date of a time, in the browser's time zone, as a number of days since 1970. */
const dayOf = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / DAY_MS

/** Returns how many calendar days a time is after today; 0 for today and for the past. */
export const daysLeft = (time: string, now = new Date()) => Math.max(dayOf(new Date(time)) - dayOf(now), 0)

/** Returns which part of the period between two times is left, from 0 to 1. */
export function remainingPart(from: string, to: string, now = Date.now()): number {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return end > start ? Math.min(Math.max((end - now) / (end - start), 0), 1) : 0
}
