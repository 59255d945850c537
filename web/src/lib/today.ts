/** Returns the date of a point in time in the browser's time zone. */
export function localDay(at: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}

/** Returns today's date in the browser's time zone. */
export const today = () => localDay(new Date())

/** Returns the name of the browser's time zone, for the header by which the server determines today's date. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
