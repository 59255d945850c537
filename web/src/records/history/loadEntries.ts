import type { Core, HistoryDetail, HistoryEntry, ListPage } from '~/core'

/**
 * Requests a page of history entries. If the page is too large, the server leaves the changes out of some entries; they
 * are requested entry by entry.
 */
export async function loadEntries(core: Core, query: URLSearchParams, signal?: AbortSignal) {
  const get = (path: string) => core.sendJson('GET', path, undefined, signal)
  const complete = async (entry: HistoryEntry): Promise<HistoryEntry> => {
    if (!entry.is_shortened) return entry
    const { data } = (await get(`/api/history/${entry.history_id}`)) as { data: HistoryDetail }
    return { ...entry, changes: data.changes }
  }
  const list = (await get(`/api/history?${query}`)) as ListPage<HistoryEntry>
  return { ...list, data: await Promise.all(list.data.map(complete)) }
}
