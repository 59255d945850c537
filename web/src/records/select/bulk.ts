import { type BulkResult, core, type Refused } from '~/core'
import type { ConditionInput, ListName, Operand } from '~/core/lists'
import { textOf } from '~/language'

/** The records of a bulk action: those with these ids, or all records that a list query finds. */
export type BulkTarget = { ids: string[] } | { query: BulkQuery }

/** The search and the filters that select the records of a bulk action, as in the API. */
export type BulkQuery = { search: string; filter: ConditionInput[] } & Record<string, unknown>

export type BulkAction = { action: 'delete' } | { action: 'update'; fields: Record<string, Operand | null> }

/** Returns what a bulk action would do, without doing it. */
export const previewBulk = (list: ListName, target: BulkTarget, action: BulkAction) =>
  send(list, { ...target, ...action, dry_run: true })

/** Runs a bulk action. Rejects with 409 if the records have changed since the preview. */
export const runBulk = (list: ListName, target: BulkTarget, action: BulkAction, preview: BulkResult) =>
  send(list, { ...target, ...action, expected: preview.digest })

const send = async (list: ListName, body: object) =>
  ((await core.sendJson('POST', `/api/${list}/bulk`, body)) as { data: BulkResult }).data

/** Returns in words why a bulk action refused a record. */
export const reasonOf = ({ message, messages }: Refused) =>
  messages?.[0] ? messages.map(textOf).join(', ') : message
