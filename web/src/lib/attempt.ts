import { useState } from 'react'
import { messageOf } from '~/core/problem'

/** Returns a function that runs a dialog's request, whether it is running, and its error message. */
export function useAttempt(failed: string, work: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const attempt = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      setError(messageOf(thrown, failed))
      setBusy(false)
    }
  }
  return { busy, error, attempt: () => void attempt() }
}
