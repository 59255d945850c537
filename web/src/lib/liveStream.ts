import { createParser } from 'eventsource-parser'
import type { LiveChange, LivePresence } from '~/core'

export type LiveEvent =
  | ({ type: 'changed' } & LiveChange)
  | ({ type: 'presence' } & LivePresence)
  /** Events were lost, so everything may have changed. */
  | { type: 'reload' }

/** How long the server may take to open a stream. */
const CONNECT_MS = 15_000
/** The server sends a heartbeat every 20 seconds. */
const SILENCE_MS = 50_000
/** The server ends a stream after 15 minutes. The next one is opened before, so that no event is lost between the two. */
const RENEW_MS = 13 * 60_000
/** A stream that ends earlier counts as failed. */
const SHORT_MS = 5_000
const MAX_DELAY_MS = 60_000

type Settings = {
  /** Requests a stream. It is rejected if nobody is signed in. */
  open: (signal: AbortSignal) => Promise<Response>
  /** Called with each event. */
  pass: (event: LiveEvent) => void
  signal: AbortSignal
  /** Whether another stream has ended before. */
  hasMissed: boolean
}

/** Reads the stream, and opens it again when it ends, until `signal` aborts. */
export async function followStream({ open, pass, signal, hasMissed }: Settings) {
  const connect = () => openInTime(open, signal)
  let failures = 0
  let mayHaveMissed = hasMissed
  let next: Response | undefined
  while (!signal.aborted) {
    try {
      const stream = next ?? (await connect())
      // What happened while no stream was open is unknown.
      if (!next && mayHaveMissed) pass({ type: 'reload' })
      next = undefined
      mayHaveMissed = true
      const opened = performance.now()
      next = await readStream(stream, pass, connect)
      failures = !next && performance.now() - opened < SHORT_MS ? failures + 1 : 0
    } catch {
      failures += 1
      mayHaveMissed = true
    }
    if (failures > 0) await pause(delay(failures), signal)
  }
}

async function openInTime(open: Settings['open'], signal: AbortSignal) {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(), CONNECT_MS)
  try {
    return await open(AbortSignal.any([signal, slow.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a stream until it ends. Returns the next one, if that could be opened before. */
async function readStream(
  response: Response,
  pass: Settings['pass'],
  connect: () => Promise<Response>,
): Promise<Response | undefined> {
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'changed') pass({ type: event, ...(JSON.parse(data) as LiveChange) })
      if (event === 'presence') pass({ type: event, ...(JSON.parse(data) as LivePresence) })
      if (event === 'reload') pass({ type: event })
    },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const cut = () => void reader?.cancel().catch(() => undefined)
  let isSilent = false
  let isEnded = false
  let next: Response | undefined
  const onSilence = () => {
    isSilent = true
    cut()
  }
  const renew = async () => {
    const opened = await connect()
    if (isEnded) return void opened.body?.cancel().catch(() => undefined)
    next = opened
    cut()
  }
  // Without the next stream, this one is read until the server ends it.
  const renewal = setTimeout(() => void renew().catch(() => undefined), RENEW_MS)
  let silence = setTimeout(onSilence, SILENCE_MS)
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(silence)
      silence = setTimeout(onSilence, SILENCE_MS)
      parser.feed(part.value)
    }
  } finally {
    isEnded = true
    clearTimeout(silence)
    clearTimeout(renewal)
  }
  if (isSilent && !next) throw new Error('The stream is silent')
  return next
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
