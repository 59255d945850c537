import type { Message, Parameter } from '~/core/import'
import type { Duplicate, Kind, Kinds, ListedProblem } from './types'

const TOP = 12

/** Reads the numbers and texts that the modules pack: four bytes, little-endian; a text is its length and then UTF-8. */
class Unpacker {
  private readonly view: DataView
  private at = 0
  private static readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  hasMore = () => this.at < this.view.byteLength

  number(): number {
    this.at += 4
    return this.view.getUint32(this.at - 4, true)
  }

  text(): string {
    const { buffer, byteOffset } = this.view
    const text = new Uint8Array(buffer, byteOffset + this.at + 4, this.number())
    this.at += text.length
    return Unpacker.decoder.decode(text)
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

/** Returns all kinds in the order of their first problem. */
export function unpackKinds(bytes: Uint8Array): Kind[] {
  const from = new Unpacker(bytes)
  return Array.from({ length: from.number() }, (_, place) => ({
    place,
    // Reads 0xFFFFFFFF as -1.
    column: from.number() | 0,
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
    const { column = -1, message = { code: '', text: '' } } = kinds[kind] ?? {}
    problems.push({ row, kind, column, value, message, cells })
  }
  return problems
}

export function unpackDuplicates(bytes: Uint8Array): Duplicate[] {
  const from = new Unpacker(bytes)
  const duplicates: Duplicate[] = []
  while (from.hasMore()) duplicates.push({ row: from.number(), first: from.number() })
  return duplicates
}
