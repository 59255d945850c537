import type { Message } from '~/core'
import { core } from '~/core'
import type { ConditionInput, ListName, Operand } from '~/core/lists'
import { problemOf } from '~/core/problem'
import { textOf } from '~/language'

/** The records of a bulk action: those with these ids, or all records that a list query finds. */
export type BulkTarget = { ids: string[] } | { query: BulkQuery }

/** The search and the filters that select the records of a bulk action, as in the API. */
export type BulkQuery = { search: string; filter: ConditionInput[] } & Record<string, unknown>

export type BulkAction = { action: 'delete' } | { action: 'update'; fields: Record<string, Operand | null> }

/** The result of a bulk action: what it did or, in a preview, would do. */
export type BulkResult = {
  matched: number
  changed: number
  unchanged: number
  refused: { id: string; label: string; message: string; messages?: Message[] }[]
  /**
   * A hash of the records. `runBulk` sends it back, so that the server notices if they have changed since the preview.
   */
  digest: string
  /** Identifies the deleted records in the trash, so that they can be restored together. */
  batch_id?: string
}

/** Returns what a bulk action would do, without doing it. */
export const previewBulk = (list: ListName, target: BulkTarget, action: BulkAction) =>
  send(list, { ...target, ...action, dry_run: true })

/** Runs a bulk action. Rejects with 409 if the records have changed since the preview. */
export const runBulk = (list: ListName, target: BulkTarget, action: BulkAction, preview: BulkResult) =>
  send(list, { ...target, ...action, expected: preview.digest })

const send = async (list: ListName, body: object) =>
  ((await core.sendJson('POST', `/api/${list}/bulk`, body)) as { data: BulkResult }).data

/** Returns whether an error means that the records have changed since the preview (409). */
export const isOutdated = (error: unknown) => problemOf(error)?.status === 409

/** Returns in words why a bulk action refused a record. */
export const reasonOf = ({ message, messages }: BulkResult['refused'][number]) =>
  messages?.[0] ? messages.map(textOf).join(', ') : message
