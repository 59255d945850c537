import { core } from '~/core'

const UNAUTHORIZED = 401
const FORBIDDEN = 403

/** The error of a failed download, with the server's response. */
export class DownloadError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`Download failed with status ${status}`)
    this.status = status
    this.body = body
  }
}

/** Requests a file. After a 401, refreshes the session and retries once. */
async function request(url: string, signal: AbortSignal): Promise<Response> {
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
  throw new DownloadError(response.status, await response.json().catch(() => undefined))
}

/** Downloads a file and reports the bytes received so far. Returns the file, with its name from the response. */
export async function download(
  url: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ name: string; file: Blob }> {
  const response = await request(url, signal)
  const parts: BlobPart[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value)
    bytes += part.value.length
    onProgress(bytes)
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return {
    name: name ?? 'export',
    file: new Blob(parts, { type: response.headers.get('content-type') ?? '' }),
  }
}

/** Saves a file through the browser's download. */
export function saveFile(name: string, file: Blob) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has the file's contents once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
