import type { Decode } from './decoder'

/** A piece of a text as UTF-8, and how many of the file's bytes were read with it and before. */
export type Chunk = { bytes: Uint8Array; read: number }

/** The name that core gives to UTF-8, as WHATWG does. */
export const UTF_8 = 'UTF-8'

/** A text file's text, from behind its byte order mark of so many bytes, to its end. UTF-8 needs no decoder. */
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
    // Half a character at the end is one that can't be read.
    const rest = decode?.(new Uint8Array(), false)
    if (rest) yield { bytes: encoder.encode(rest), read }
  } finally {
    // Whoever looked away early leaves the rest unread.
    reader.cancel().catch(() => undefined)
  }
}
