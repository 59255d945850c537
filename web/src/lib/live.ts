/**
 * Receives the server's stream of events: which records have changed, and who is editing them. The tabs of a user in a
 * browser share one stream: the tab that has the Web Lock reads it, and passes the events to the other tabs.
 */
import { core } from '~/core'
import { authorizedFetch } from './authorizedFetch'
import { followStream, type LiveEvent } from './liveStream'

type Listener = (event: LiveEvent) => void

/** With the user's id, the name of the Web Lock, and of the BroadcastChannel between the tabs. */
const NAME = 'forecourt-live'
/**
 * How long after the event of a change by this user, or before it, the response may arrive in the tab that has made the
 * change. The event doesn't say which tab or device that was.
 */
export const SETTLE_MS = 2_000
/** How long a tab stays connected after its last listener left, because the next page often adds one. */
const LINGER_MS = 3_000

const listeners = new Set<Listener>()
let connection: AbortController | undefined
/** The id of the user whose events the connection receives. */
let user: string | undefined
let ending: ReturnType<typeof setTimeout> | undefined
let isOpen = false
let ownChangeAt = Number.NEGATIVE_INFINITY

/** Notes that this tab has just made a change that open lists need not offer, although they aren't loaded again after it. */
export function noteOwnChange() {
  ownChangeAt = performance.now()
}

/** Returns whether an event at this time, by `performance.now()`, is probably about such a change. */
export const isNotedChange = (at: number) => Math.abs(at - ownChangeAt) <= SETTLE_MS

/** Returns whether events arrive. If not, an event `open` or `reload` follows once they do. */
export const isLive = () => isOpen

/** Calls `listener` with each event of the server, until the returned function is called. */
export function onLiveEvent(listener: Listener): () => void {
  listeners.add(listener)
  clearTimeout(ending)
  // Another user may have signed in before the connection of the previous one has ended.
  if (user !== core.tabUser()) disconnect()
  connection ??= connect()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(ending)
    ending = setTimeout(disconnect, LINGER_MS)
  }
}

function disconnect() {
  connection?.abort()
  connection = undefined
}

function notify(event: LiveEvent) {
  isOpen = true
  for (const listener of listeners) listener(event)
}

function connect() {
  isOpen = false
  const controller = new AbortController()
  const { signal } = controller
  user = core.tabUser()
  const name = `${NAME} ${user}`
  const tabs = new BroadcastChannel(name)
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
    const isFree = await locks.request(name, { ifAvailable: true }, async lock => {
      if (lock) await follow(false)
      return lock !== null
    })
    if (isFree) return
    // Another tab has the stream. Events between the end of its stream and the start of this one are lost.
    if (!signal.aborted) notify({ type: 'open' })
    await locks.request(name, { signal }, () => follow(true))
  }
  // Rejects if this tab disconnects (`LINGER_MS`) before it gets the lock.
  lead().catch(() => undefined)
  return controller
}
