import { authorizedFetch } from '~/lib/authorizedFetch'

/**
 * Downloads a file, reporting the number of bytes received so far. Returns the file, and its name from the response.
 */
export async function download(
  url: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ name: string; file: Blob }> {
  const response = await authorizedFetch(url, signal)
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
