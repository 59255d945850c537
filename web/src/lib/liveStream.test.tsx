import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followStream, type LiveEvent } from './liveStream'

const MINUTE = 60_000
const change = { resource: 'contacts', ids: ['c-1'], action: 'updated' }

let controller: AbortController
let events: LiveEvent[]
/** The event streams that the app has opened, oldest first. */
let streams: ReadableStreamDefaultController<Uint8Array>[]
/** Returns the response to a request of the event stream; by default an open stream. */
let answer: (signal: AbortSignal) => Promise<Response>
let requests = 0

const openStream = (signal: AbortSignal) => {
  const body = new ReadableStream<Uint8Array>({
    start: stream => {
      streams.push(stream)
      signal.addEventListener('abort', () => stream.error(signal.reason))
    },
  })
  return Promise.resolve(new Response(body))
}
const send = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text))
const sendChange = () => send(`event: changed\ndata: ${JSON.stringify(change)}\n\n`)
/** Advances the fake clock by `ms`, and sends the server's heartbeats meanwhile. */
async function wait(ms: number) {
  for (let left = ms; left > 0; left -= 20_000) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 20_000))
    send(':\n\n')
  }
}
const follow = (hasMissed = false) =>
  void followStream({
    hasMissed,
    open: signal => {
      requests += 1
      return answer(signal)
    },
    pass: event => events.push(event),
    signal: controller.signal,
  })

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  controller = new AbortController()
  events = []
  streams = []
  requests = 0
  answer = openStream
})
afterEach(() => {
  controller.abort()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('an event of the stream is passed to the listener', async () => {
  follow()
  await wait(1_000)
  sendChange()
  await wait(1)
  expect(events).toEqual([{ type: 'open' }, { type: 'changed', ...change }])
})

test('a stream that ended is opened again at once, and a reload event is passed', async () => {
  follow()
  await wait(MINUTE)
  streams.at(-1)?.close()
  await vi.advanceTimersByTimeAsync(1)
  expect(streams).toHaveLength(2)
  expect(events).toEqual([{ type: 'open' }, { type: 'reload' }])
})

test('a stream that takes over from another tab first passes a reload event', async () => {
  follow(true)
  await wait(1)
  expect(events).toEqual([{ type: 'reload' }])
})

test('the next stream is opened before the server ends the current one, without a reload event', async () => {
  follow()
  await wait(14 * MINUTE)
  expect(streams).toHaveLength(2)
  sendChange()
  await wait(1)
  expect(events).toEqual([{ type: 'open' }, { type: 'changed', ...change }])
})

test('if the next stream can not be opened, the current one is still read', async () => {
  follow()
  await wait(MINUTE)
  answer = () => Promise.reject(new Error('busy'))
  await wait(13 * MINUTE)
  sendChange()
  await wait(1)
  expect(events).toEqual([{ type: 'open' }, { type: 'changed', ...change }])
})

test('each failure doubles the pause, up to a minute', async () => {
  answer = () => Promise.reject(new Error('down'))
  follow()
  await vi.advanceTimersByTimeAsync(0)
  for (const pause of [2_000, 4_000, 8_000, 16_000, 32_000, MINUTE, MINUTE]) {
    const before = requests
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(requests).toBe(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toBe(before + 1)
  }
})

test('a stream that ends immediately after opening is opened again only after a pause', async () => {
  follow()
  await wait(1)
  streams.at(-1)?.close()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(requests).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  expect(requests).toBe(2)
})

test.each(['the network is back', 'the tab becomes visible'])(
  'the pause after a failure ends when %s',
  async cause => {
    answer = () => Promise.reject(new Error('down'))
    follow()
    await vi.advanceTimersByTimeAsync(1)
    if (cause === 'the network is back') dispatchEvent(new Event('online'))
    else document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toBe(2)
  },
)

test('if the server does not respond within 15 seconds, the stream is requested again', async () => {
  answer = signal =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  follow()
  await vi.advanceTimersByTimeAsync(15_000 + 2_001)
  expect(requests).toBe(2)
})

test('a stream without data for 50 seconds is opened again, and a reload event is passed', async () => {
  follow()
  await vi.advanceTimersByTimeAsync(50_000 + 2_001)
  expect(requests).toBe(2)
  expect(events).toEqual([{ type: 'open' }, { type: 'reload' }])
})

test.each(['of the pause', 'of the stream'])(
  'after an abort in the middle %s, no stream is opened',
  async of => {
    if (of === 'of the pause') answer = () => Promise.reject(new Error('down'))
    follow()
    await vi.advanceTimersByTimeAsync(1)
    controller.abort()
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(requests).toBe(1)
  },
)
