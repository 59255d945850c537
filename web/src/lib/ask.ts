import { useCallback, useEffect, useState } from 'react'
import { type Outcome, settle } from './load'

/**
 * Asks for something that a dialog needs once it is open. Absent until it has come; it can be asked for again. Keep the
 * question stable: a new one is asked at once.
 */
export function useAsk<T>(question: (() => Promise<T>) | undefined) {
  const [outcome, setOutcome] = useState<Outcome<T>>()
  const ask = useCallback(() => {
    let live = true
    setOutcome(undefined)
    if (question) void settle(question()).then(come => live && setOutcome(come))
    return () => {
      live = false
    }
  }, [question])
  useEffect(ask, [ask])
  return { outcome, again: ask }
}
