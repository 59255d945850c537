import { useCallback } from 'react'
import { core } from '~/core'
import { isForbidden, messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { type Outcome, settle } from '~/lib/load'
import type { Hit } from '~/records/kind'
import type { ListedKind } from '~/records/kinds'
import { useSearch } from '~/records/useSearch'

type Result = { kind: ListedKind; outcome: Outcome<{ found: Hit[]; total: number }> }

/** The state of the search: the records found, by kind, or why there are none. */
export type FoundRecords =
  | { state: 'none' | 'searching' | 'offline' }
  | {
      state: 'found'
      found: { kind: ListedKind; found: Hit[]; total: number }[]
      failure?: { titles: string[]; why: string }
    }

/** Searches these kinds of records for `text` while the user types. */
export function useRecordSearch(
  readable: ListedKind[],
  text: string,
): { records: FoundRecords; retry: () => void } {
  const find = useCallback(
    (text: string, signal: AbortSignal): Promise<Result[]> =>
      Promise.all(
        readable.map(async kind => ({
          kind,
          outcome: await settle(kind.find(text, signal)),
        })),
      ),
    [readable],
  )
  const { search, retry } = useSearch(readable.length > 0 ? text : undefined, find)
  if (search.state === 'found') return { records: read(search.result), retry }
  return { records: { state: search.state === 'typing' ? 'searching' : search.state }, retry }
}

function read(results: Result[]): FoundRecords {
  const found = results.flatMap(({ kind, outcome }) => (outcome.ok ? [{ kind, ...outcome.value }] : []))
  // A 403 isn't shown as a failure: the user has just lost the permission, and the navigation will be reloaded.
  const failed = results.flatMap(({ kind, outcome }) =>
    outcome.ok || isForbidden(outcome.error) ? [] : [{ title: kind.title, error: outcome.error }],
  )
  const [first] = failed
  if (!first) return { state: 'found', found }
  const why = messageOf(first.error, textOf(core.texts().general.unexpected))
  return { state: 'found', found, failure: { titles: failed.map(({ title }) => title), why } }
}
