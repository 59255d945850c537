import type { Message } from '~/core'
import { core } from '~/core'
import type { ConditionInput, ListName, Operand } from '~/core/lists'
import { textOf } from '~/language'

/** The records of a bulk action: those with these ids, or all that a query of the list finds. */
export type BulkTarget = { ids: string[] } | { query: BulkQuery }

/** Search and filters of a list, as in the API. */
export type BulkQuery = { search: string; filter: ConditionInput[] } & Record<string, unknown>

export type BulkAction = { action: 'delete' } | { action: 'update'; fields: Record<string, Operand | null> }

/** What a bulk action did, or would do. */
export type BulkResult = {
  matched: number
  changed: number
  unchanged: number
  refused: { id: string; label: string; message: string; messages?: Message[] }[]
}

/** Runs a bulk action, or returns what it would do. */
export async function runBulk(
  list: ListName,
  target: BulkTarget,
  action: BulkAction,
  dry_run: boolean,
): Promise<BulkResult> {
  const body = { ...target, ...action, dry_run }
  return ((await core.sendJson('POST', `/api/${list}/bulk`, body)) as { data: BulkResult }).data
}

/** Returns why a record was refused. */
export const reasonOf = ({ message, messages }: BulkResult['refused'][number]) =>
  messages?.[0] ? messages.map(textOf).join(', ') : message
