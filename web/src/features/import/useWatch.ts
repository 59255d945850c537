import { useCallback, useEffect, useRef, useState } from 'react'
import { core, type ImportSession, type Watch } from '~/core'
import { messageIn, messagesOf, problemOf } from '~/core/problem'
import { onReconnect } from '~/lib/connection'

export type Watched = {
  session: ImportSession | undefined
  end: Exclude<Watch, { kind: 'again' }> | undefined
}

/**
 * Polls an import job until it ends, and returns its latest state. Core decides when to poll again. If its state is
 * `known`, the first request is omitted. `fetchSession` must be a stable function.
 * When the connection returns, the job is polled again, even if polling had stopped because the connection was lost.
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
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = (watch: Watch) => {
      isOver = watch.kind === 'over'
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
    const pollNow = () => {
      clearTimeout(timer)
      failures = 0
      void poll()
    }
    now.current = pollNow
    const unsubscribe = onReconnect(() => !isOver && pollNow())
    if (known) take(known)
    else void poll()
    return () => {
      request = -1
      clearTimeout(timer)
      unsubscribe()
    }
  }, [sessionId, known, fetchSession])
  return { ...watched, refresh: useCallback(() => now.current?.(), []) }
}
