/** Returns today's date in the browser's time zone. */
export function today(): string {
  const now = new Date()
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}
