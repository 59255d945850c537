/**
 * What other people change and edit, from the server's stream of events. The tabs of a browser share one stream: the tab that has
 * the lock reads it, and passes the events to the others.
 */
import { createParser } from 'eventsource-parser'
import { core, type LiveChange, type LivePresence } from '~/core'
import { authorizedFetch } from './authorizedFetch'

export type LiveEvent =
  | ({ type: 'changed' } & LiveChange)
  | ({ type: 'presence' } & LivePresence)
  /** Events were lost, so everything may have changed. */
  | { type: 'reload' }

type Listener = (event: LiveEvent) => void

/** The name of the lock and of the channel between the tabs. */
const NAME = 'forecourt-live'
/** How long a tab without listeners keeps its place, because a new page often has some again. */
const LINGER_MS = 3_000
/** The server sends a heartbeat every 20 seconds. */
const SILENCE_MS = 50_000
/** A stream that ends earlier counts as failed. */
const SHORT_MS = 5_000
const MAX_DELAY_MS = 60_000

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
  const follow = () =>
    followStream(event => {
      if (signal.aborted) return
      notify(event)
      if (locks) tabs.postMessage(event)
    }, signal)
  const isDone = locks ? locks.request(NAME, { signal }, follow) : follow()
  // Rejects if the tab leaves before it gets the lock.
  isDone.catch(() => undefined)
  return controller
}

/** Reads the stream, and opens it again when it ends, until `signal` aborts. */
async function followStream(pass: Listener, signal: AbortSignal) {
  let failures = 0
  while (!signal.aborted) {
    try {
      if (!core.hasSession()) throw new Error('Nobody is signed in')
      const response = await authorizedFetch('/api/events', signal)
      const opened = performance.now()
      if (failures > 0) pass({ type: 'reload' })
      await readStream(response, pass)
      failures = performance.now() - opened < SHORT_MS ? failures + 1 : 0
    } catch {
      failures += 1
    }
    if (failures > 0) await pause(delay(failures), signal)
  }
}

async function readStream(response: Response, pass: Listener) {
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'changed') pass({ type: event, ...(JSON.parse(data) as LiveChange) })
      if (event === 'presence') pass({ type: event, ...(JSON.parse(data) as LivePresence) })
      if (event === 'reload') pass({ type: event })
    },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let isSilent = false
  const cut = () => {
    isSilent = true
    void reader?.cancel().catch(() => undefined)
  }
  let timer = setTimeout(cut, SILENCE_MS)
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(timer)
      timer = setTimeout(cut, SILENCE_MS)
      parser.feed(part.value)
    }
  } finally {
    clearTimeout(timer)
  }
  if (isSilent) throw new Error('The stream is silent')
}

/** Doubles with each failure. Random, so that not all browsers come back at the same time. */
const delay = (failures: number) => Math.min(1_000 * 2 ** failures, MAX_DELAY_MS) * (0.5 + Math.random() / 2)

/** Waits, but not longer than until the network is back, the tab becomes visible, or `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(done => {
    if (signal.aborted) return done()
    const ended = new AbortController()
    const end = () => {
      clearTimeout(timer)
      ended.abort()
      done()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end, { signal: ended.signal })
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && end(), {
      signal: ended.signal,
    })
    signal.addEventListener('abort', end, { signal: ended.signal })
  })
}
