import { useCallback, useEffect, useRef, useState } from 'react'
import { core, type ImportSession, type Watch } from '~/core'
import { messageIn, messagesOf, problemOf } from '~/core/problem'

export type Watched = {
  session: ImportSession | undefined
  end: Exclude<Watch, { kind: 'again' }> | undefined
}

/**
 * Polls an import job until it ends, and returns its latest state. Core decides when to poll again. If its state is
 * `known`, the first request is omitted. `fetchSession` must be a stable function.
 */
export function useWatch(
  sessionId: string,
  known?: ImportSession,
  fetchSession: (sessionId: string) => Promise<ImportSession> = core.importStatus,
): Watched & { refresh: () => void } {
  const [watched, setWatched] = useState<Watched>({ session: known, end: undefined })
  const now = useRef<() => void>(undefined)
  useEffect(() => {
    // The number of the latest request. Responses to other requests are ignored, and all of them after unmounting (-1).
    let request = 0
    let failures = 0
    let responses = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = (watch: Watch) => {
      if (watch.kind === 'again') timer = setTimeout(poll, watch.afterMs)
      else setWatched(old => ({ ...old, end: watch }))
    }
    const take = (session: ImportSession) => {
      setWatched({ session, end: undefined })
      const watch = core.afterResponse(session, responses)
      const message = messageIn(session)
      follow(watch.kind === 'over' && message ? { ...watch, message } : watch)
      responses += 1
    }
    const poll = async () => {
      request += 1
      const mine = request
      try {
        const session = await fetchSession(sessionId)
        if (mine !== request) return
        failures = 0
        take(session)
      } catch (error) {
        if (mine !== request) return
        failures += 1
        const watch = core.afterFailure(failures, problemOf(error)?.status ?? 500)
        const [message = core.texts().general.unexpected] = messagesOf(error)
        follow(watch.kind === 'over' ? { ...watch, message } : watch)
      }
    }
    now.current = () => {
      clearTimeout(timer)
      failures = 0
      void poll()
    }
    if (known) take(known)
    else void poll()
    return () => {
      request = -1
      clearTimeout(timer)
    }
  }, [sessionId, known, fetchSession])
  return { ...watched, refresh: useCallback(() => now.current?.(), []) }
}
