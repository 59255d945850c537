import type { Recognition } from '~/core/import'
import { chunks, UTF_8 } from './chunks'
import { decoderOf } from './decoder'
import type { Modules } from './modules'
import type { OpenedFile, OpenRequest } from './opened'
import { withNotices } from './opened'
import { rowsIn } from './unpack'

/** Bytes to read for the first rows if the usual head doesn't contain two rows. */
const LONG_HEAD = 4 << 20
const NOTHING = new Uint8Array()

/** Opens a text file: detects its encoding and delimiter, and reads its first rows. */
export async function openText(
  { file, options }: OpenRequest,
  found: Recognition,
  head: Uint8Array,
  modules: Modules,
): Promise<OpenedFile> {
  const [{ shape, DetectedFile }, { CsvReader }] = [await modules.get('import'), await modules.get('csv')]
  const guessed = options.encoding ?? found.encoding
  const encoding = guessed ?? (await guess(file, modules))
  const sure = found.sure || guessed === undefined || options.encoding !== undefined
  const { mark } = found
  const begin = await decoderOf(encoding, modules)
  const { delimiter, separatorLine } = shape(begin()(head.subarray(mark), true), options)
  const reader = new CsvReader(delimiter, separatorLine, sure)
  const desk = new DetectedFile(
    {
      kind: found.kind,
      encoding,
      delimiter: String.fromCharCode(delimiter),
      sheets: [],
      notices: [],
    },
    await sample(head),
    options,
    undefined,
    file.size,
  )
  return {
    desk,
    head: withNotices(desk.head(), found.notices),
    reader,
    async read(goOn, isPresent) {
      for await (const { bytes, read } of chunks(file, encoding === UTF_8 ? undefined : begin(), mark)) {
        if (!isPresent()) return 'stopped'
        if (reader.push(bytes, false) !== 0) return 'other'
        if (!(await goOn(read / file.size))) return 'stopped'
      }
      if (!isPresent()) return 'stopped'
      return reader.push(NOTHING, true) === 0 ? 'whole' : 'other'
    },
    isDamaged: () => reader.isDamaged(),
    other: async () => {
      const wish = { file, options: { ...options, encoding: await guess(file, modules) } }
      return openText(wish, found, head, modules)
    },
  }

  /** Returns the first rows in the head. */
  async function sample(head: Uint8Array): Promise<Uint8Array> {
    const last = head.length >= file.size
    const text = head.subarray(mark)
    const rows = reader.sample(
      encoding === UTF_8 ? text : new TextEncoder().encode(begin()(text, !last)),
      last,
    )
    if (last || head.length >= LONG_HEAD || rowsIn(rows) > 1) return rows
    return sample(new Uint8Array(await file.slice(0, LONG_HEAD).arrayBuffer()))
  }
}

/** Guesses the encoding from the bytes around the first invalid UTF-8 sequence. */
async function guess(file: File, modules: Modules): Promise<string> {
  const [{ InvalidUtf8Finder }, { guessEncoding }] = [
    await modules.get('import'),
    await modules.get('fallback'),
  ]
  const first = new InvalidUtf8Finder()
  try {
    let place: number | undefined
    for await (const { bytes } of chunks(file, undefined, 0)) {
      place = first.push(bytes, false)
      if (place !== undefined) break
    }
    place ??= first.push(NOTHING, true)
    const look = place === undefined ? NOTHING : await file.slice(place, place + first.look).arrayBuffer()
    return guessEncoding(new Uint8Array(look))
  } finally {
    first.free()
  }
}
