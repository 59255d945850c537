import { useCallback, useEffect, useState } from 'react'
import { core } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { useIsConnected } from '~/lib/connection'
import { type Outcome, settle } from '~/lib/load'
import type { Hit } from '~/records/kind'
import type { ListedKind } from '~/records/kinds'
import { DELAY_MS, MIN_LENGTH } from '~/records/useSuggestions'

const FORBIDDEN = 403

type Result = { kind: ListedKind; outcome: Outcome<{ found: Hit[]; total: number }> }
type Searched = { text: string; results: Result[] }

/** The state of the search: the records found, by kind, or why there are none. */
export type FoundRecords =
  | { state: 'none' | 'searching' | 'offline' }
  | {
      state: 'found'
      found: { kind: ListedKind; found: Hit[]; total: number }[]
      failure?: { titles: string[]; why: string }
    }

/** Searches these kinds of records for `text` while the user types. An outdated search is aborted. */
export function useRecordSearch(
  readable: ListedKind[],
  text: string,
): { records: FoundRecords; retry: () => void } {
  const isConnected = useIsConnected()
  const [searched, setSearched] = useState<Searched>()
  const shouldSearch = text.length >= MIN_LENGTH && readable.length > 0
  const isCurrent = searched?.text === text
  useEffect(() => {
    if (!shouldSearch || isCurrent || !isConnected) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const results = await Promise.all(
        readable.map(async kind => ({
          kind,
          outcome: await settle(kind.find(text, controller.signal)),
        })),
      )
      if (!controller.signal.aborted) setSearched({ text, results })
    }, DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [shouldSearch, isCurrent, isConnected, readable, text])
  const retry = useCallback(() => setSearched(undefined), [])
  if (!shouldSearch) return { records: { state: 'none' }, retry }
  if (isCurrent) return { records: read(searched.results), retry }
  return { records: { state: isConnected ? 'searching' : 'offline' }, retry }
}

function read(results: Result[]): FoundRecords {
  const found = results.flatMap(({ kind, outcome }) => (outcome.ok ? [{ kind, ...outcome.value }] : []))
  // A 403 isn't shown as a failure: the user has just lost the permission, and the navigation will be reloaded.
  const failed = results.flatMap(({ kind, outcome }) =>
    outcome.ok || problemOf(outcome.error)?.status === FORBIDDEN
      ? []
      : [{ title: kind.title, error: outcome.error }],
  )
  const [first] = failed
  if (!first) return { state: 'found', found }
  const why = messageOf(first.error, textOf(core.texts().general.unexpected))
  return { state: 'found', found, failure: { titles: failed.map(({ title }) => title), why } }
}
