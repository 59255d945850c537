import type { Message, Parameter } from '~/core/import'
import type { Counts, Kind, Kinds, ListedProblem, Repeat } from './types'

const TOP = 12
const NONE = 0xffff_ffff
const NO_MESSAGE: Message = { code: '', text: '' }

/** Reads the numbers and texts that the modules pack: four bytes, little-endian; a text is its length and then UTF-8. */
class Unpacker {
  private readonly view: DataView
  private at = 0
  private static readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  hasMore = () => this.at < this.bytes.length

  number(): number {
    this.at += 4
    return this.view.getUint32(this.at - 4, true)
  }

  skip(bytes: number) {
    this.at += bytes
  }

  text(): string {
    const length = this.number()
    this.at += length
    return Unpacker.decoder.decode(this.bytes.subarray(this.at - length, this.at))
  }

  message(): Message {
    const [text, code] = [this.text(), this.text()]
    const parameters = Array.from({ length: this.number() }, () => [this.text(), this.parameter()] as const)
    return { code, text, parameters: Object.fromEntries(parameters) }
  }

  private parameter(): Parameter {
    switch (this.number()) {
      case 0:
        return this.number()
      case 1:
        return this.text()
      case 2:
        return Array.from({ length: this.number() }, () => this.parameter())
      default:
        return this.message()
    }
  }
}

/** Returns all messages in these bytes. */
export function unpackMessages(bytes: Uint8Array): Message[] {
  const from = new Unpacker(bytes)
  const messages: Message[] = []
  while (from.hasMore()) messages.push(from.message())
  return messages
}

const columnOf = (number: number) => (number === NONE ? -1 : number)

export function unpackCounts(counts: Float64Array): Counts {
  const [
    total = 0,
    ready = 0,
    failed = 0,
    leftOut = 0,
    duplicates = 0,
    problems = 0,
    listed = 0,
    repeatsListed = 0,
  ] = counts
  return { total, ready, failed, leftOut, duplicates, problems, listed, repeatsListed }
}

/** Returns all kinds in the order of their first problem. */
export function unpackKinds(bytes: Uint8Array): Kind[] {
  const from = new Unpacker(bytes)
  return Array.from({ length: from.number() }, (_, place) => ({
    place,
    column: columnOf(from.number()),
    count: from.number(),
    listed: from.number(),
    message: from.message(),
  }))
}

/** Returns the kinds to show, most frequent first. */
export function topKinds(kinds: Kind[]): Kinds {
  const top = [...kinds].sort((a, b) => b.count - a.count || a.place - b.place).slice(0, TOP)
  return { top, more: kinds.length - top.length }
}

export function unpackProblems(bytes: Uint8Array, kinds: Kind[]): ListedProblem[] {
  const from = new Unpacker(bytes)
  const problems: ListedProblem[] = []
  while (from.hasMore()) {
    const [row, kind, value] = [from.number(), from.number(), from.text()]
    const cells = Array.from({ length: from.number() }, () => ({ column: from.number(), text: from.text() }))
    const { column = -1, message = NO_MESSAGE } = kinds[kind] ?? {}
    problems.push({ row, kind, column, value, message, cells })
  }
  return problems
}

export function unpackRepeats(bytes: Uint8Array): Repeat[] {
  const from = new Unpacker(bytes)
  const repeats: Repeat[] = []
  while (from.hasMore()) repeats.push({ row: from.number(), first: from.number() })
  return repeats
}

/** Returns the number of rows in a reader's sample. */
export function rowsIn(sample: Uint8Array): number {
  const from = new Unpacker(sample)
  let rows = 0
  for (; from.hasMore(); rows++) {
    from.number()
    from.skip(8 * from.number())
    from.skip(from.number())
  }
  return rows
}
