import { useCallback, useEffect, useState } from 'react'
import { type Outcome, settle } from './load'

/**
 * Asks for something that a dialog or an opened row needs. Absent until it has come; it can be asked for again. Keep the
 * question stable: a new one is asked at once. The signal aborts a question whose answer is no longer needed.
 */
export function useAsk<T>(question: ((signal: AbortSignal) => Promise<T>) | undefined) {
  const [outcome, setOutcome] = useState<Outcome<T>>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same question again.
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
