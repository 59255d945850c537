import { createParser } from 'eventsource-parser'
import type { LiveChange, LivePresence } from '~/core'

export type LiveEvent =
  | ({ type: 'changed' } & LiveChange)
  | ({ type: 'presence' } & LivePresence)
  /** The first stream is open, so what happens from now on arrives. */
  | { type: 'open' }
  /** Events were lost, so any record may have changed: reload the list or the record that is shown. */
  | { type: 'reload' }

/** How long the server may take to open a stream. */
const CONNECT_MS = 15_000
/** A stream without any data for this long counts as broken. The server sends a heartbeat every 20 seconds. */
const SILENCE_MS = 50_000
/** Age at which a stream is replaced by a new one without a gap. The server ends a stream after 15 minutes. */
const RENEW_MS = 13 * 60_000
/** A stream that ends within this time counts as failed, so the next attempt waits. */
const SHORT_MS = 5_000
const MAX_DELAY_MS = 60_000

type Settings = {
  /** Requests a stream. Rejects if no user is signed in. */
  open: (signal: AbortSignal) => Promise<Response>
  /** Called with each event. */
  pass: (event: LiveEvent) => void
  signal: AbortSignal
  /** Another tab's stream has ended before this one, so events may have been lost. */
  hasMissed: boolean
}

/** Opens and reads event streams, one after the other, until `signal` aborts. */
export async function followStream({ open, pass, signal, hasMissed }: Settings) {
  const connect = () => openInTime(open, signal)
  let failures = 0
  let mayHaveMissed = hasMissed
  let next: Response | undefined
  while (!signal.aborted) {
    try {
      const stream = next ?? (await connect())
      // Changes made while no stream was open are unknown.
      if (!next) pass({ type: mayHaveMissed ? 'reload' : 'open' })
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

/** Reads a stream until it ends. Returns its successor if that was opened in time (`RENEW_MS`), otherwise undefined. */
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
  // If the successor can't be opened, this stream is read until the server ends it.
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

/** Returns the milliseconds before the next attempt. Random, so that not all browsers reconnect at the same time. */
const delay = (failures: number) => Math.min(1_000 * 2 ** failures, MAX_DELAY_MS) * (0.5 + Math.random() / 2)

/** Waits for `ms`, or less if the network comes back, the tab becomes visible, or `signal` aborts. */
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
