import { useCallback, useEffect, useState } from 'react'
import { core } from '~/core'
import { useIsConnected } from '~/lib/connection'
import { type Outcome, settle } from '~/lib/load'
import { messageOf, problemOf } from '~/lib/problem'
import { type Found, type KindName, kinds } from './kinds'

/** Delay after the last key before the search starts. */
const PAUSE_MS = 300
/** A single letter matches almost everything. */
const LEAST = 2
const FORBIDDEN = 403

type Result = { kind: KindName; outcome: Outcome<{ found: Found[]; total: number }> }
type Asked = { text: string; results: Result[] }

/** The records found by kind, or why there are none. */
export type Records =
  | { state: 'none' | 'searching' | 'offline' }
  | {
      state: 'found'
      found: { kind: KindName; found: Found[]; total: number }[]
      /** The searches that failed, and why. */
      failure?: { titles: string[]; why: string }
    }

/** Searches these kinds of records while typing. An outdated search is aborted. */
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
  // A 403 isn't an error: the permission has just been revoked, and the menu will follow.
  const failed = results.flatMap(({ kind, outcome }) =>
    outcome.ok || problemOf(outcome.error)?.status === FORBIDDEN
      ? []
      : [{ title: kinds[kind].title, error: outcome.error }],
  )
  const [first] = failed
  if (!first) return { state: 'found', found }
  const why = messageOf(first.error, core.texts().general.unexpected)
  return { state: 'found', found, failure: { titles: failed.map(({ title }) => title), why } }
}
