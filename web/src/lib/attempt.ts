import { useState } from 'react'
import { messageOf } from '~/core/problem'

/**
 * Returns `attempt`, which runs a dialog's request (`work`), whether the request is running (`busy`), and its error
 * message. After a success `busy` stays true, because the dialog closes. `failed` is the message for an error that has
 * none.
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
