import { core } from '~/core'

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

/** Requests what is read as it arrives, such as a file. After a 401, refreshes the session and retries once. */
export async function authorizedFetch(url: string, signal: AbortSignal): Promise<Response> {
  const attempt = async () =>
    fetch(url, { signal, headers: { Accept: '*/*', Authorization: `Bearer ${await core.accessToken()}` } })
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
