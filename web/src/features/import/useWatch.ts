import { useEffect, useState } from 'react'
import { core, type ImportSession, type Watch } from '~/core'
import { problemOf } from '~/lib/problem'

export type Watched = {
  session: ImportSession | undefined
  end: Exclude<Watch, { kind: 'again' }> | undefined
}

/** Could another look be answered? A lost connection or a busy server, but not an import that there isn't. */
function isPassing(error: unknown): boolean {
  const status = problemOf(error)?.status ?? 0
  return status === 0 || status === 429 || status >= 500
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
        if (isPassing(error)) follow(core.afterFailure(failures))
        else
          follow({
            kind: 'over',
            success: false,
            message: problemOf(error)?.message ?? core.texts().general.unexpected,
          })
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
