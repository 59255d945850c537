import { plural, t } from '@lingui/core/macro'
import type { ImportSession } from '~/core'
import type { Counts } from '~/core/import'
import { count, day } from '~/lib/format'
import { fileRows } from '~/lib/importStates'

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

/** Returns the number of rows that a check has read: those that are ready, have problems or were left out. */
export const checkedRows = (
  { total, leftOut }: Pick<Counts, 'total' | 'leftOut'> = { total: 0, leftOut: 0 },
) => total + leftOut

/** Returns which part of the rows are duplicates, such as "including 2 duplicates". */
const includingDuplicates = (many: number) =>
  plural(many, { one: 'including # duplicate', other: 'including # duplicates' })

/**
 * Returns how many rows of the file an import has processed, as the value, the maximum and the text of a progress bar;
 * undefined before the rows are counted. Rows that the user left out are processed from the beginning.
 */
export function progressOf(session: ImportSession): { value: number; max: number; text: string } | undefined {
  const max = fileRows(session)
  if (max === 0) return undefined
  const value = session.processedRecords + session.leftOutRecords
  const processed = count(value)
  return { value, max, text: plural(max, { one: `${processed} of # row`, other: `${processed} of # rows` }) }
}

/**
 * Returns the number of rows in an import's file; empty before they are counted. If some of the rows that it has
 * processed are duplicates, also how many it has processed, unless all, and how many of these are duplicates.
 */
export function fileRowsText(session: ImportSession): string {
  const progress = progressOf(session)
  if (!progress) return ''
  const { value, max, text } = progress
  const { duplicateRecords } = session
  if (duplicateRecords === 0) return rows(max)
  return `${value < max ? text : rows(max)}, ${includingDuplicates(duplicateRecords)}`
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

/**
 * Returns the counts of an import. Each processed row is in exactly one of them: a duplicate that was imported in
 * `imported`, one that was not in `failed`.
 */
export function resultCounts(session: ImportSession | undefined) {
  return [
    { what: 'imported', name: t`Imported`, value: session?.successRecords ?? 0 },
    { what: 'failed', name: t`With problems`, value: session?.failedRecords ?? 0 },
    { what: 'leftOut', name: t`Left out by hand`, value: session?.leftOutRecords ?? 0 },
  ] as const
}
