import type { Change, HistoryDetail, HistoryEntry, RevertProgress } from '~/core'
import { type ApiRequest, network } from './network'

/** Returns an entry by Ada Lindqvist; a higher number is a later entry. */
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

/** Returns an entry of the undoing with this progress. */
export const undoing = (progress: RevertProgress): HistoryDetail => ({
  ...entry(9, { action: 'deleted', resource: 'contacts', record_id: '', label: 'kunder.csv', changes: [] }),
  records: progress.reverted,
  progress,
})

export const change = (field: string, before?: Change['before'], after?: Change['after']): Change =>
  // As the API has it: empty values are null.
  JSON.parse(JSON.stringify({ field, before: before ?? null, after: after ?? null }))

/** Returns the page of these entries, newest first, that a request asks for. */
export function pageOf(entries: HistoryEntry[], { query }: ApiRequest) {
  const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
  const data = entries.slice((page - 1) * limit, page * limit)
  const totalPages = Math.ceil(entries.length / limit)
  return { body: { success: true, data, totalItems: entries.length, totalPages } }
}

/** Serves `server.entries`, newest first, as the history of every record. */
export function serveHistory(entries: HistoryEntry[]) {
  const server = { entries }
  network.on('GET /api/history', call => pageOf(server.entries, call))
  return server
}
