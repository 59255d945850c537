import type { ImportSession } from '~/core'

const UNITS = ['kB', 'MB', 'GB'] as const

/** "812 bytes", "17.1 MB". */
export function size(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  let value = bytes / 1000
  let unit = 0
  // What would be rounded up to a thousand is one of the next.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit]}`
}

/** "12 s", "3 min 5 s", "1 h 20 min". */
function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How long an import took; nothing while it goes on. */
export function took({ createdAt, endedAt }: ImportSession): string | undefined {
  return endedAt && duration(Date.parse(endedAt) - Date.parse(createdAt))
}

/** What became of the rows of a file. */
export function figuresOf(session: ImportSession | undefined) {
  return [
    { name: 'Imported', value: session?.successRecords ?? 0 },
    { name: 'Failed', value: session?.failedRecords ?? 0 },
    { name: 'Left out', value: session?.leftOutRecords ?? 0 },
    { name: 'Duplicates', value: session?.duplicateRecords ?? 0 },
  ] as const
}
