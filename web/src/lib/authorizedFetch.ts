import { core, type Message } from '~/core'
import { messageIn } from '~/core/problem'
import { textOf } from '~/language'

const UNAUTHORIZED = 401
const FORBIDDEN = 403

/** The error of a failed request, with the server's response. */
export class ResponseError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`The request failed with status ${status}`)
    this.status = status
    this.body = body
  }
}

/** Returns the sentence to show for an error of `authorizedFetch`, or else `failed`. */
export function describeError(error: unknown, failed: string): string {
  if (!(error instanceof ResponseError)) return textOf(core.texts().general.noConnection)
  const body = error.body as { message?: unknown; messages?: Message[] } | undefined
  const message = body && messageIn(body)
  return (message && textOf(message)) || failed
}

/**
 * Requests what is read as it arrives, such as a file, or sends a form with a file. After a 401, refreshes the session and
 * retries once.
 */
export async function authorizedFetch(url: string, signal?: AbortSignal, form?: FormData): Promise<Response> {
  const attempt = async () =>
    fetch(url, {
      method: form ? 'POST' : 'GET',
      body: form,
      signal,
      headers: { Accept: '*/*', Authorization: `Bearer ${await core.accessToken()}` },
    })
  let response = await attempt()
  if (response.status === UNAUTHORIZED) {
    // Any API request refreshes the session, or reports that it has ended.
    await core.getProfile()
    response = await attempt()
  }
  if (response.status === FORBIDDEN) core.reportForbidden()
  if (response.ok) return response
  throw new ResponseError(response.status, await response.json().catch(() => undefined))
}
