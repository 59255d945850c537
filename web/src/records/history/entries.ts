import { t } from '@lingui/core/macro'
import type { Change, ChangedValue, HistoryEntry } from '~/core'
import type { ListField } from '~/core/lists'
import { day } from '~/lib/format'
import { valueAt } from '../useFields'

/**
 * Groups the entries by day in the browser's time zone, keeping their order. Names the days "Today", "Yesterday" or by
 * date.
 */
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

/** Returns whether an entry created its record, by a form or an import. */
export const isNew = ({ action }: HistoryEntry) => action === 'created' || action === 'imported'

/** Returns whether an entry is a sign-in or a sign-out. */
export const isSignIn = ({ action }: HistoryEntry) => action === 'signed_in' || action === 'signed_out'

/** Returns whether an entry changed an existing record, without creating, deleting or restoring it. */
export const isUpdated = ({ action }: HistoryEntry) =>
  ['updated', 'reverted', 'merged', 'unmerged'].includes(action)

/**
 * Returns the values with which a record was created. The API doesn't send them, so they are computed from the current
 * record by going back through `since`, the later entries, newest first.
 */
export function firstValues(record: object, since: HistoryEntry[], fields: ListField[]): Change[] {
  const present = new Map(
    fields.map(({ name, path }) => [name, valueAt(record, path) as ChangedValue | undefined]),
  )
  for (const { changes } of since) {
    for (const { field, before } of changes) present.set(field, before)
  }
  return fields
    .filter(({ label, isRecorded }) => label && isRecorded)
    .map(({ name }) => ({ field: name, before: undefined, after: present.get(name) ?? undefined }))
    .filter(({ after }) => after !== undefined && after !== '')
}
