/** A request as the fake server receives it. */
export type ApiRequest = {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
  token: string | null
  /** The header `Idempotency-Key`. */
  key: string | null
  /** The header `Time-Zone`. */
  timeZone: string | null
  /** The request's signal, which aborts if the app no longer needs the response. */
  signal: AbortSignal
}
export type ApiResponse = { status?: number; headers?: Record<string, string>; body: unknown }
type Handler = (call: ApiRequest) => ApiResponse | Promise<ApiResponse>

const handlers = new Map<string, Handler>()
const requests: ApiRequest[] = []

/** Returns the body of a request: a multipart form as FormData, everything else parsed as JSON. */
async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get('content-type')?.startsWith('multipart/')) return request.formData()
  const text = await request.text()
  return text === '' ? undefined : JSON.parse(text)
}

async function respond(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const url = new URL(request.url)
  const call: ApiRequest = {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    body: await bodyOf(request),
    token: request.headers.get('authorization'),
    key: request.headers.get('idempotency-key'),
    timeZone: request.headers.get('time-zone'),
    signal: request.signal,
  }
  requests.push(call)
  const handler = handlers.get(`${call.method} ${call.path}`)
  if (!handler) throw new TypeError(`The network of this test knows no ${call.method} ${call.path}`)
  const { status = 200, headers, body } = await handler(call)
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
  })
}

const realFetch = window.fetch

/** A fake server in place of `fetch`. Tests set its response to each request. Everything else of the app is real. */
export const network = {
  reset() {
    handlers.clear()
    requests.length = 0
    // By default, the server is reachable, so that a request without a handler doesn't take the app offline.
    handlers.set('GET /api/health', () => ({ body: { success: true, message: '' } }))
    // By default, lists have no saved views, and records have no history.
    handlers.set('GET /api/views', () => ({ body: { success: true, data: [] } }))
    handlers.set('GET /api/history', () => ({
      body: { success: true, data: [], totalItems: 0, totalPages: 0 },
    }))
    // By default, the stream of events opens but sends no event.
    handlers.set(
      'GET /api/events',
      ({ signal }) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
    )
    handlers.set('POST /api/events/presence', () => ({ body: { success: true, data: null } }))
    // Requests for the app's own files go to the real server (Vite).
    window.fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href)
      return pathname.startsWith('/api/') ? respond(input, init) : realFetch(input, init)
    }
  },
  on(call: string, handler: Handler) {
    handlers.set(call, handler)
  },
  requests: (path: string) => requests.filter(call => call.path === path),
  /** Returns the multipart forms sent to `path`. */
  forms: (path: string) =>
    requests.flatMap(({ path: at, body }) => (at === path && body instanceof FormData ? [body] : [])),
}

/** Returns an error response. */
export const errorResponse = (status: number, message: string, more: object = {}): ApiResponse => ({
  status,
  body: { success: false, message, errors: [message], fields: {}, ...more },
})

/**
 * Returns test cases: a message in an error response, and the text to expect, which is `fallback` for an empty message.
 */
export const errorMessages = (fallback: string, message = 'The server is busy.') => [
  [message, message],
  ['', fallback],
]

/** Returns a promise (`wait`) and a function that resolves it (`release`), to delay a response. */
export function deferred(): { wait: Promise<void>; release: () => void } {
  let release = () => {}
  const wait = new Promise<void>(done => {
    release = done
  })
  return { wait, release }
}

/** Delays the fake server's response to the request `call`. Returns a function that sends the response. */
export function delayResponse(call: string, handler: Handler): () => void {
  const { wait, release } = deferred()
  network.on(call, async request => {
    await wait
    return handler(request)
  })
  return release
}
