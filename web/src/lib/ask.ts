import { useCallback, useEffect, useState } from 'react'
import { type Outcome, settle } from './load'

/**
 * Sends a request for a dialog or an expanded row and returns its outcome, undefined while loading, and a function
 * that sends it again. Memoize `request`: a new function is called immediately. Its signal aborts when the response
 * is no longer needed.
 */
export function useAsk<T>(question: ((signal: AbortSignal) => Promise<T>) | undefined) {
  const [outcome, setOutcome] = useState<Outcome<T>>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt sends the same request again.
  useEffect(() => {
    setOutcome(undefined)
    if (!question) return
    const end = new AbortController()
    void settle(question(end.signal)).then(come => {
      if (!end.signal.aborted) setOutcome(come)
    })
    return () => end.abort()
  }, [question, attempt])
  const again = useCallback(() => setAttempt(count => count + 1), [])
  return { outcome, again }
}
