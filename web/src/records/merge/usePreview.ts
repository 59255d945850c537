import { useEffect, useState } from 'react'
import { messagesOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { type Merged, type MergeInput, previewMerge } from './api'
import type { MergeList } from './duplicates'

/** Delay after the last choice before it is checked. */
const DELAY_MS = 300

type Result = { key: string; preview?: Merged; error?: unknown }

/**
 * Checks a merge with the rules of the form whenever it changes. `onOutdated` is called if the records have changed or were
 * deleted.
 */
export function usePreview(list: MergeList, input: MergeInput, onOutdated: () => void) {
  const key = JSON.stringify(input)
  const [result, setResult] = useState<Result>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt sends the same request again; the callback may change.
  useEffect(() => {
    let isCurrent = true
    const check = async () => {
      try {
        const preview = await previewMerge(list, JSON.parse(key) as MergeInput)
        if (isCurrent) setResult({ key, preview })
      } catch (error) {
        if (!isCurrent) return
        setResult({ key, error })
        const { status } = problemOf(error) ?? {}
        if (status === 404 || status === 409) onOutdated()
      }
    }
    const timer = setTimeout(() => void check(), DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [list, key, attempt])
  const current = result?.key === key ? result : undefined
  const errors: Record<string, string> = {}
  for (const message of current?.error === undefined ? [] : messagesOf(current.error)) {
    if (message.field) errors[message.field] ??= textOf(message)
  }
  return {
    /** What the merge would do; undefined until it is checked, and if it breaks a rule. */
    preview: current?.preview,
    error: current?.error,
    /** The errors of fields, by their names. */
    errors,
    retry: () => setAttempt(count => count + 1),
  }
}
