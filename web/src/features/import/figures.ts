import { plural, t } from '@lingui/core/macro'
import type { ImportSession } from '~/core'
import { count, day } from '~/lib/format'

/** Formats a duration, such as "12 s", "3 min 5 s" or "1 h 20 min". */
function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Returns the duration of an import in words; undefined while it runs. */
export function durationOf({ createdAt, endedAt }: ImportSession): string | undefined {
  return endedAt && duration(Date.parse(endedAt) - Date.parse(createdAt))
}

export const rows = (many: number) => plural(many, { one: '# row', other: '# rows' })
export const columns = (many: number) => plural(many, { one: '# column', other: '# columns' })

export function progressOf({ processedRecords, totalRecords }: ImportSession): string {
  const processed = count(processedRecords)
  return plural(totalRecords, { one: `${processed} of # row`, other: `${processed} of # rows` })
}

/** Returns when an import was undone and how many of its contacts were kept then; undefined if it wasn't. */
export function undoneText({ undoneAt, keptRecords = 0 }: ImportSession): string | undefined {
  if (!undoneAt) return undefined
  const date = day(undoneAt)
  return keptRecords === 0
    ? t`Undone on ${date}, no contacts kept`
    : plural(keptRecords, {
        one: `Undone on ${date}, # contact kept`,
        other: `Undone on ${date}, # contacts kept`,
      })
}

export function resultCounts(session: ImportSession | undefined) {
  return [
    { what: 'imported', name: t`Imported`, value: session?.successRecords ?? 0 },
    { what: 'failed', name: t`With problems`, value: session?.failedRecords ?? 0 },
    { what: 'leftOut', name: t`Left out by hand`, value: session?.leftOutRecords ?? 0 },
    { what: 'duplicates', name: t`Duplicates`, value: session?.duplicateRecords ?? 0 },
  ] as const
}
