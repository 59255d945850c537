import type { Decode } from './decoder'

/** A piece of a text as UTF-8, and the number of the file's bytes read so far. */
export type Chunk = { bytes: Uint8Array; read: number }

/** The name that core gives to UTF-8, as WHATWG does. */
export const UTF_8 = 'UTF-8'

/** Yields the text after the byte order mark of `mark` bytes. UTF-8 needs no decoder. */
export async function* chunks(file: Blob, decode: Decode | undefined, mark: number): AsyncGenerator<Chunk> {
  const encoder = new TextEncoder()
  const reader = file.slice(mark).stream().getReader()
  let read = mark
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      read += value.length
      yield { bytes: decode ? encoder.encode(decode(value, true)) : value, read }
    }
    // An incomplete character at the end.
    const rest = decode?.(new Uint8Array(), false)
    if (rest) yield { bytes: encoder.encode(rest), read }
  } finally {
    // The caller may stop early.
    reader.cancel().catch(() => undefined)
  }
}
