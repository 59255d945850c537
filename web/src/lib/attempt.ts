import { useState } from 'react'
import { messageOf } from '~/core/problem'

/**
 * Returns a function that runs a dialog's request, whether the dialog is busy, and its error message. After a success it
 * stays busy, because the dialog closes. `failed` is the message for an error without one.
 */
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
