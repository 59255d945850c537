/**
 * What other people change and edit, from the server's stream of events. The tabs of a browser share one stream: the tab that has
 * the lock reads it, and passes the events to the others.
 */
import { core } from '~/core'
import { authorizedFetch } from './authorizedFetch'
import { followStream, type LiveEvent } from './liveStream'

type Listener = (event: LiveEvent) => void

/** The name of the lock and of the channel between the tabs. */
const NAME = 'forecourt-live'
/** How long a tab without listeners keeps its place, because a new page often has some again. */
const LINGER_MS = 3_000

const listeners = new Set<Listener>()
let connection: AbortController | undefined
let ending: ReturnType<typeof setTimeout> | undefined

/** Calls `listener` with each event, until the returned function is called. */
export function onLiveEvent(listener: Listener): () => void {
  listeners.add(listener)
  clearTimeout(ending)
  connection ??= connect()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(ending)
    ending = setTimeout(() => {
      connection?.abort()
      connection = undefined
    }, LINGER_MS)
  }
}

function notify(event: LiveEvent) {
  for (const listener of listeners) listener(event)
}

function connect() {
  const controller = new AbortController()
  const { signal } = controller
  const tabs = new BroadcastChannel(NAME)
  tabs.onmessage = ({ data }: MessageEvent<LiveEvent>) => notify(data)
  signal.addEventListener('abort', () => tabs.close())
  // In an insecure context there are no locks, and each tab has its own stream.
  const locks = navigator.locks as LockManager | undefined
  const open = async (until: AbortSignal) => {
    if (!core.hasSession()) throw new Error('Nobody is signed in')
    return authorizedFetch('/api/events', until)
  }
  const pass = (event: LiveEvent) => {
    if (signal.aborted) return
    notify(event)
    if (locks) tabs.postMessage(event)
  }
  const follow = (hasMissed: boolean) => followStream({ open, pass, signal, hasMissed })
  const lead = async () => {
    if (!locks) return follow(false)
    const isFree = await locks.request(NAME, { ifAvailable: true }, async lock => {
      if (lock) await follow(false)
      return lock !== null
    })
    // Between the other tab's stream and this one's, events were lost.
    if (!isFree) await locks.request(NAME, { signal }, () => follow(true))
  }
  // Rejects if the tab leaves before it gets the lock.
  lead().catch(() => undefined)
  return controller
}
