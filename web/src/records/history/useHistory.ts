import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { core, type HistoryEntry, type ListPage, type Records } from '~/core'
import { appendOlder, useOlder } from '~/lib/older'
import { useRequest } from '~/lib/request'
import { loadEntries } from './loadEntries'

const LIMIT = 20

function loadPage(resource: keyof Records, id: string, page: number, signal: AbortSignal) {
  const query = new URLSearchParams({ resource, id, page: String(page), limit: String(LIMIT) })
  return loadEntries(core, query, signal)
}

const idOf = (entry: HistoryEntry) => entry.history_id

/**
 * Returns the newest entries followed by the known older ones; only the newest if entries between them may be missing.
 */
function merge(newest: HistoryEntry[], known: HistoryEntry[]): HistoryEntry[] {
  const all = appendOlder(newest, known, idOf)
  // If both have an entry in common, no entry between them is missing.
  return all.length < newest.length + known.length ? all : newest
}

type Loaded<R> = {
  of: ListPage<HistoryEntry>
  /** The record as it was when the newest entries were loaded. */
  record: R
  entries: HistoryEntry[]
  total: number
}

/**
 * Returns a record's history: its newest entries, which are requested again whenever `record` changes, and the older
 * entries loaded so far.
 */
export function useHistory<R>(resource: keyof Records, id: string, record: R) {
  // Not only when its version changes: comments and photos add entries without a new version.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed record has new entries to request.
  const request = useMemo(
    () => (signal: AbortSignal) => loadPage(resource, id, 1, signal),
    [resource, id, record],
  )
  const { outcome, retry } = useRequest(request)
  const [state, setState] = useState<Loaded<R>>()
  const older = useOlder(t`Failed to load older changes`)
  let known = state
  if (outcome?.ok && outcome.value !== state?.of) {
    const { data, totalItems } = outcome.value
    known = { of: outcome.value, record, entries: merge(data, state?.entries ?? []), total: totalItems }
    setState(known)
  }
  const loadOlder = () => {
    if (!known) return
    const { entries, total } = known
    const page = Math.floor(entries.length / LIMIT) + 1
    void older.load(
      signal => loadPage(resource, id, page, signal),
      ({ data, totalItems }) => {
        setState(now => now && { ...now, entries: appendOlder(now.entries, data, idOf) })
        // New entries were added meanwhile and have moved the older ones to later pages, so the first page is
        // requested, too.
        if (totalItems !== total) retry()
      },
    )
  }
  return {
    /** The entries loaded so far; undefined until the first ones have loaded. */
    loaded: known,
    /** Why the newest entries failed to load. */
    error: outcome?.ok === false ? outcome.error : undefined,
    retry,
    isLoadingOlder: older.isLoading,
    olderError: older.error,
    loadOlder,
  }
}
