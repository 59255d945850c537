import { useState } from 'react'
import { sentenceOf } from './problem'

/** Something that a dialog asks the server for: while it runs the dialog is busy, and a refusal stays in place. */
export function useAttempt(failed: string, work: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const attempt = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      setError(sentenceOf(thrown, failed))
      setBusy(false)
    }
  }
  return { busy, error, attempt: () => void attempt() }
}
