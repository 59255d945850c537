import { useEffect, useState } from 'react'
import { core, type PlatformFigures } from '~/core'
import { problemOf } from '~/core/problem'
import { useRequest } from '~/lib/request'
import { onReturn } from '~/lib/returns'

/** How often the figures are requested while an import is running, in milliseconds. */
const IMPORT_MS = 3_000

/** How often they are requested otherwise. */
const IDLE_MS = 60_000

/** When the user returns to the page, figures that are older than this are requested again (milliseconds). */
const MAX_AGE_MS = 10_000

const request = async (signal: AbortSignal) =>
  ((await core.sendJson('GET', '/api/platform', undefined, signal)) as { data: PlatformFigures }).data

/**
 * Loads the figures of the platform, and again every minute while the page is visible (every few seconds while an import
 * is running), and when the user returns to it. Earlier figures stay while they load again, and after a failed update,
 * which is retried as on an import's progress page, and then every minute. `error` is the error of a request that is not
 * retried.
 */
export function useFigures() {
  const { outcome, latest: figures, retry } = useRequest(request)
  // The number of failed requests in a row before the latest one.
  const [failures, setFailures] = useState(0)
  let pause: number | undefined
  if (outcome && figures) {
    const watch = !outcome.ok && core.afterFailure(failures + 1, problemOf(outcome.error)?.status ?? 500)
    if (!watch) pause = figures.imports.length > 0 ? IMPORT_MS : IDLE_MS
    else if (watch.kind !== 'over') pause = watch.kind === 'again' ? watch.afterMs : IDLE_MS
  }
  useEffect(() => {
    if (!outcome || pause === undefined) return
    const loadedAt = Date.now()
    const update = () => {
      if (document.visibilityState !== 'visible') return
      setFailures(earlier => (outcome.ok ? 0 : earlier + 1))
      retry()
    }
    const updateIfOld = () => {
      if (Date.now() - loadedAt >= Math.min(pause, MAX_AGE_MS)) update()
    }
    const timer = setTimeout(update, pause)
    const stopReturns = onReturn(updateIfOld)
    return () => {
      clearTimeout(timer)
      stopReturns()
    }
  }, [outcome, pause, retry])
  const error = outcome?.ok === false && pause === undefined ? outcome.error : undefined
  return { figures, error, retry }
}
