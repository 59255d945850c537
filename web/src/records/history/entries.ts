import { t } from '@lingui/core/macro'
import type { Change, ChangedValue, HistoryEntry } from '~/core'
import type { ListField } from '~/core/lists'
import { day } from '~/lib/format'

/** Returns the entries by day in the browser's time zone, in their order. */
export function groupByDay(entries: HistoryEntry[], now = new Date()) {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  const names = new Map([
    [day(now.toISOString()), t`Today`],
    [day(yesterday.toISOString()), t`Yesterday`],
  ])
  const days = new Map<string, HistoryEntry[]>()
  for (const entry of entries) {
    const date = day(entry.at)
    days.set(date, [...(days.get(date) ?? []), entry])
  }
  return [...days].map(([date, ofDay]) => ({ name: names.get(date) ?? date, entries: ofDay }))
}

/** Returns whether an entry is the first one of a new record. */
export const isNew = ({ action }: HistoryEntry) => action === 'created' || action === 'imported'

/** Returns whether an entry changed a record that was there before and after. */
export const isUpdated = ({ action }: HistoryEntry) =>
  ['updated', 'reverted', 'merged', 'unmerged'].includes(action)

/**
 * Returns the values with which a record was created. The API doesn't send them: they follow from the present values and
 * the entries since then, newest first.
 */
export function firstValues(record: object, since: HistoryEntry[], fields: ListField[]): Change[] {
  const present = new Map<string, ChangedValue | undefined>(Object.entries(record))
  for (const { changes } of since) {
    for (const { field, before } of changes) present.set(field, before)
  }
  return fields
    .filter(({ label, isRecorded }) => label && isRecorded)
    .map(({ name }) => ({ field: name, before: undefined, after: present.get(name) ?? undefined }))
    .filter(({ after }) => after !== undefined && after !== '')
}
