import { useCallback, useEffect, useState } from 'react'
import { onReconnect } from './connection'
import { type Outcome, settle } from './load'

/**
 * Sends a request when the component is shown. Returns its outcome, undefined while loading, `latest`, the value of the
 * newest request that succeeded, and `retry`, which sends it again. A request that failed is also sent again when the
 * server becomes reachable again. Memoize `request`: each new function is called at once. Its signal aborts when the
 * response is no longer needed.
 */
export function useRequest<T>(request: ((signal: AbortSignal) => Promise<T>) | undefined) {
  const [outcome, setOutcome] = useState<Outcome<T>>()
  const [latest, setLatest] = useState<T>()
  const [attempt, setAttempt] = useState(0)
  const retry = useCallback(() => setAttempt(count => count + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt sends the same request again.
  useEffect(() => {
    setOutcome(undefined)
    if (!request) return
    const controller = new AbortController()
    let stopRetries: (() => void) | undefined
    void settle(request(controller.signal)).then(settled => {
      if (controller.signal.aborted) return
      setOutcome(settled)
      if (settled.ok) setLatest(() => settled.value)
      // At once, because an effect would miss a server that becomes reachable before it runs.
      else stopRetries = onReconnect(retry)
    })
    return () => {
      controller.abort()
      stopRetries?.()
    }
  }, [request, attempt])
  return { outcome, latest, retry }
}
