import { useEffect, useState } from 'react'
import { core, type PlatformFigures } from '~/core'
import { problemOf } from '~/core/problem'
import { useRequest } from '~/lib/request'

/** How often the figures are requested while an import is running, in milliseconds. */
const UPDATE_MS = 3_000

const request = async (signal: AbortSignal) =>
  ((await core.sendJson('GET', '/api/platform', undefined, signal)) as { data: PlatformFigures }).data

/**
 * Loads the figures of the platform, and again every few seconds while an import is running and the page is
 * visible. Earlier figures stay while they load again, and after a failed update, which is retried as on an
 * import's progress page. `error` is the error of a request that is not retried.
 */
export function useFigures() {
  const { outcome, latest: figures, retry } = useRequest(request)
  // The number of failed requests in a row before the latest one.
  const [failures, setFailures] = useState(0)
  const isRunning = figures !== undefined && figures.imports.length > 0
  let pause: number | undefined
  if (outcome && isRunning) {
    const watch = !outcome.ok && core.afterFailure(failures + 1, problemOf(outcome.error)?.status ?? 500)
    if (!watch) pause = UPDATE_MS
    else if (watch.kind === 'again') pause = watch.afterMs
  }
  useEffect(() => {
    if (!outcome || pause === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => {
      setFailures(earlier => (outcome.ok ? 0 : earlier + 1))
      retry()
    }
    const schedule = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(update, pause)
    }
    schedule()
    document.addEventListener('visibilitychange', schedule)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    }
  }, [outcome, pause, retry])
  const error = outcome?.ok === false && pause === undefined ? outcome.error : undefined
  return { figures, error, retry }
}
