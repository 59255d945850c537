import type { Change, HistoryDetail, HistoryEntry, RevertProgress } from '~/core'
import { type ApiRequest, network } from './network'
import { paginate } from './records'

/** Returns a history entry whose actor is Ada Lindqvist. A higher number is a later entry. */
export const entry = (number: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  history_id: `h-${number}`,
  at: new Date(2026, 10, 20, 8, number).toISOString(),
  actor: { kind: 'user', id: 'u1', name: 'Ada Lindqvist' },
  action: 'updated',
  resource: 'customers',
  record_id: 'c-1',
  label: 'Maja Holm 1',
  changes: [change('address', `Storgatan ${number - 1}`, `Storgatan ${number}`)],
  batch_id: undefined,
  records: undefined,
  undo: 'update',
  ...more,
})

/** Returns the history entry of an undo that runs on the server, with this progress. */
export const undoEntry = (progress: RevertProgress): HistoryDetail => ({
  ...entry(9, { action: 'deleted', resource: 'contacts', record_id: '', label: 'kunder.csv', changes: [] }),
  records: progress.reverted,
  progress,
})

export const change = (field: string, before?: Change['before'], after?: Change['after']): Change =>
  // Undefined values become null, as the API sends empty values.
  JSON.parse(JSON.stringify({ field, before: before ?? null, after: after ?? null }))

/** Returns the response to a request for a page of these entries, newest first. */
export const pageOf = (entries: HistoryEntry[], call: ApiRequest) => ({
  body: { success: true, ...paginate(entries, call) },
})

/** Makes the fake server respond with `server.entries`, newest first, as the history of any record. */
export function serveHistory(entries: HistoryEntry[]) {
  const server = { entries }
  network.on('GET /api/history', call => pageOf(server.entries, call))
  return server
}
