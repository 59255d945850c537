import { core } from '~/core'
import { messageOf, type Reply, textIn } from '~/core/problem'
import { textOf } from '~/language'

const UNAUTHORIZED = 401
const FORBIDDEN = 403

/**
 * The error of `authorizedFetch` for a response with an error status. `body` is its parsed JSON; undefined if it isn't
 * JSON.
 */
export class ResponseError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`The request failed with status ${status}`)
    this.status = status
    this.body = body
  }
}

/** Returns the sentence to show for an error of `authorizedFetch`; `failed` if the server's response has no message. */
export function describeError(error: unknown, failed: string): string {
  // A request of core, such as the one that refreshes the session, or a request without a response.
  if (!(error instanceof ResponseError)) return messageOf(error, textOf(core.texts().general.noConnection))
  return textIn(error.body as Reply | undefined, failed)
}

/**
 * Sends a request with the access token and returns the response with its body unread, for files and event streams. A
 * GET, or a POST of `form`. After a 401, refreshes the session and retries once. Throws a `ResponseError` for an error
 * status.
 */
export async function authorizedFetch(url: string, signal?: AbortSignal, form?: FormData): Promise<Response> {
  const timeZone = core.timeZone()
  const attempt = async () =>
    fetch(url, {
      method: form ? 'POST' : 'GET',
      body: form,
      signal,
      headers: {
        Authorization: `Bearer ${await core.accessToken()}`,
        ...(timeZone && { 'Time-Zone': timeZone }),
      },
    })
  let response = await attempt()
  if (response.status === UNAUTHORIZED) {
    // This request is sent only because any API request refreshes an expired session, or reports that it has ended.
    await core.getProfile()
    response = await attempt()
  }
  if (response.status === FORBIDDEN) core.reportForbidden()
  if (response.ok) return response
  throw new ResponseError(response.status, await response.json().catch(() => undefined))
}
