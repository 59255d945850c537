import type { Modules } from './modules'

/** Decodes the next piece of a text. Where there is `more`, the piece may end within a character. */
export type Decode = (bytes: Uint8Array, more: boolean) => string

/** Characters per call of String.fromCharCode, whose number of arguments is limited. */
const AT_ONCE = 8 << 10

/** Returns a function that creates a decoder of this encoding. */
export async function decoderOf(encoding: string, modules: Modules): Promise<() => Decode> {
  const page = isKnown(encoding) ? undefined : (await modules.get('fallback')).codePage(encoding)
  if (page !== undefined) return () => byCodePage(page)
  return () => {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true })
    return (bytes, more) => decoder.decode(bytes, { stream: more })
  }
}

function isKnown(encoding: string): boolean {
  try {
    return Boolean(new TextDecoder(encoding))
  } catch {
    return false
  }
}

/** Decodes with the characters that a code page has for the bytes from 128 on. */
function byCodePage(page: string): Decode {
  const codes = Uint16Array.from({ length: 256 }, (_, byte) =>
    byte < 128 ? byte : page.charCodeAt(byte - 128),
  )
  return bytes => {
    let text = ''
    for (let at = 0; at < bytes.length; at += AT_ONCE) {
      const piece = Uint16Array.from(bytes.subarray(at, at + AT_ONCE), byte => codes[byte] ?? 0)
      text += String.fromCharCode(...piece)
    }
    return text
  }
}
