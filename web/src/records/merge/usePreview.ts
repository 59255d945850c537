import { useEffect, useEffectEvent, useState } from 'react'
import { messagesOf } from '~/core/problem'
import { textOf } from '~/language'
import { isConflictOrGone, type Merged, type MergeRequest, previewMerge } from './api'
import type { MergeList } from './duplicates'

/** Milliseconds after the user's last choice before the merge is checked. */
const DELAY_MS = 300

type Result = { key: string; preview?: Merged; error?: unknown }

/**
 * Requests the preview of a merge whenever the user's choices change, and returns it or its errors. Calls `onOutdated`
 * if the records have changed or were deleted.
 */
export function usePreview(list: MergeList, input: MergeRequest, onOutdated: () => void) {
  const key = JSON.stringify(input)
  const [result, setResult] = useState<Result>()
  const [attempt, setAttempt] = useState(0)
  const report = useEffectEvent(onOutdated)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt sends the same request again.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const check = async () => {
      try {
        const preview = await previewMerge(list, JSON.parse(key) as MergeRequest, signal)
        if (!signal.aborted) setResult({ key, preview })
      } catch (error) {
        if (signal.aborted) return
        setResult({ key, error })
        if (isConflictOrGone(error)) report()
      }
    }
    const timer = setTimeout(() => void check(), DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [list, key, attempt])
  const current = result?.key === key ? result : undefined
  const errors: Record<string, string> = {}
  for (const message of current?.error === undefined ? [] : messagesOf(current.error)) {
    if (message.field) errors[message.field] ??= textOf(message)
  }
  return {
    /** What the merge would do; undefined until the server has checked it, and if the server rejects it. */
    preview: current?.preview,
    error: current?.error,
    /** The error message of each field that has one, by the field's name. */
    errors,
    retry: () => setAttempt(count => count + 1),
  }
}
