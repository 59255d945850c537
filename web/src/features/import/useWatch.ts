import { useCallback, useEffect, useRef, useState } from 'react'
import { core, type ImportSession, type Watch } from '~/core'
import { problemOf } from '~/lib/problem'

export type Watched = {
  session: ImportSession | undefined
  end: Exclude<Watch, { kind: 'again' }> | undefined
}

/**
 * Looks at a running import until it is over. When to look again is core's business. What is known of it already isn't
 * asked for again at once. Keep the way to look stable.
 */
export function useWatch(
  sessionId: string,
  known?: ImportSession,
  look: (sessionId: string) => Promise<ImportSession> = core.importStatus,
): Watched & { lookNow: () => void } {
  const [watched, setWatched] = useState<Watched>({ session: known, end: undefined })
  const now = useRef<() => void>(undefined)
  useEffect(() => {
    // Only the last question's answer counts, and none once nobody looks any more.
    let question = 0
    let failures = 0
    let answers = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = (watch: Watch) => {
      if (watch.kind === 'again') timer = setTimeout(ask, watch.afterMs)
      else setWatched(old => ({ ...old, end: watch }))
    }
    const take = (session: ImportSession) => {
      setWatched({ session, end: undefined })
      follow(core.afterResponse(session, answers))
      answers += 1
    }
    const ask = async () => {
      question += 1
      const mine = question
      try {
        const session = await look(sessionId)
        if (mine !== question) return
        failures = 0
        take(session)
      } catch (error) {
        if (mine !== question) return
        failures += 1
        const { status, message } = problemOf(error) ?? {
          status: 500,
          message: core.texts().general.unexpected,
        }
        follow(core.afterFailure(failures, status, message))
      }
    }
    now.current = () => {
      clearTimeout(timer)
      failures = 0
      void ask()
    }
    if (known) take(known)
    else void ask()
    return () => {
      question = -1
      clearTimeout(timer)
    }
  }, [sessionId, known, look])
  return { ...watched, lookNow: useCallback(() => now.current?.(), []) }
}
