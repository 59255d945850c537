import { useEffect, useState } from 'react'
import { core, type ImportSession, type Watch } from '~/core'
import { problemOf } from '~/lib/problem'

export type Watched = {
  session: ImportSession | undefined
  end: Exclude<Watch, { kind: 'again' }> | undefined
}

/** Looks at a running import until it is over. When to look again is core's business. */
export function useWatch(sessionId: string): Watched {
  const [watched, setWatched] = useState<Watched>({ session: undefined, end: undefined })
  useEffect(() => {
    let live = true
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = (watch: Watch) => {
      if (watch.kind === 'again') timer = setTimeout(look, watch.afterMs)
      else setWatched(old => ({ ...old, end: watch }))
    }
    const look = async () => {
      try {
        const session = await core.importStatus(sessionId)
        if (!live) return
        failures = 0
        setWatched({ session, end: undefined })
        follow(core.afterAnswer(session))
      } catch (error) {
        if (!live) return
        failures += 1
        const { status, message } = problemOf(error) ?? {
          status: 500,
          message: core.texts().general.unexpected,
        }
        follow(core.afterFailure(failures, status, message))
      }
    }
    void look()
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [sessionId])
  return watched
}
