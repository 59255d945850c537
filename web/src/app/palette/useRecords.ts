import { useCallback, useEffect, useState } from 'react'
import { core } from '~/core'
import { useIsConnected } from '~/lib/connection'
import { type Outcome, settle } from '~/lib/load'
import { problemOf, sentenceOf } from '~/lib/problem'
import { type Found, type KindName, kinds } from './kinds'

/** Typing is over once nobody has typed for so long (specification section 9). */
const PAUSE_MS = 300
/** One letter is in almost everything. */
const LEAST = 2
const FORBIDDEN = 403

type Result = { kind: KindName; outcome: Outcome<{ found: Found[]; total: number }> }
type Asked = { text: string; results: Result[] }

/** What the server found of each kind; or why nothing of it is there. */
export type Records =
  | { state: 'none' | 'searching' | 'offline' }
  | {
      state: 'found'
      found: { kind: KindName; found: Found[]; total: number }[]
      /** What could not be looked through, and why. */
      failure?: { titles: string[]; why: string }
    }

/** Looks through these kinds of records while one types. A question that nobody waits for any more is broken off. */
export function useRecords(readable: KindName[], text: string): { records: Records; again: () => void } {
  const isConnected = useIsConnected()
  const [asked, setAsked] = useState<Asked>()
  const isWanted = text.length >= LEAST && readable.length > 0
  const isAnswered = asked?.text === text
  useEffect(() => {
    if (!isWanted || isAnswered || !isConnected) return
    const end = new AbortController()
    const timer = setTimeout(async () => {
      const results = await Promise.all(
        readable.map(async kind => ({ kind, outcome: await settle(kinds[kind].find(text, end.signal)) })),
      )
      if (!end.signal.aborted) setAsked({ text, results })
    }, PAUSE_MS)
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [isWanted, isAnswered, isConnected, readable, text])
  const again = useCallback(() => setAsked(undefined), [])
  if (!isWanted) return { records: { state: 'none' }, again }
  if (isAnswered) return { records: read(asked.results), again }
  return { records: { state: isConnected ? 'searching' : 'offline' }, again }
}

function read(results: Result[]): Records {
  const found = results.flatMap(({ kind, outcome }) => (outcome.ok ? [{ kind, ...outcome.value }] : []))
  // What one may no longer read is gone from the menu in a moment, and nothing has failed.
  const failed = results.flatMap(({ kind, outcome }) =>
    outcome.ok || problemOf(outcome.error)?.status === FORBIDDEN
      ? []
      : [{ title: kinds[kind].title, error: outcome.error }],
  )
  const [first] = failed
  if (!first) return { state: 'found', found }
  const why = sentenceOf(first.error, core.texts().general.unexpected)
  return { state: 'found', found, failure: { titles: failed.map(({ title }) => title), why } }
}
