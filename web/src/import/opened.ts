import type { CsvReader, DetectedFile, FileHead, Message, ReadOptions } from '~/core/import'
import type { SheetChoice } from './types'
import { unpackMessages } from './unpack'

/** The bindings that all readers have. */
export type Examiner = Pick<
  CsvReader,
  'begin' | 'counts' | 'digest' | 'kinds' | 'problems' | 'repeats' | 'alike' | 'free'
>

/** How reading a file to its end came out. */
export type ReadEnd =
  | 'whole'
  /** The caller cancelled it. */
  | 'stopped'
  /** The content contradicts the format detected from the beginning. */
  | 'other'

/** A file whose beginning is known. */
export type OpenedFile = {
  desk: DetectedFile
  head: FileHead
  reader: Examiner
  /**
   * Reads every row, begun with a plan. After each piece it says how much of the file was read, as far as that is known;
   * the answer says whether to go on. While a piece is waited for, the reader may be given to another check, or be gone.
   */
  read: (goOn: (share?: number) => Promise<boolean>, isPresent: () => boolean) => Promise<ReadEnd>
  isDamaged: () => boolean
  /** Opens it as what it turned out to be. */
  other: () => Promise<OpenedFile>
}

/** What is asked to be opened. */
export type OpenRequest = { file: File; options: ReadOptions }

/** Adds notices of the detection, which come first. */
export const withNotices = (head: FileHead, notices: Message[]): FileHead => ({
  ...head,
  notices: [...notices, ...head.notices],
})

export function freed({ desk, reader }: OpenedFile) {
  desk.free()
  reader.free()
}

/** The sheet of a workbook can't be imported; another one may be. */
export class NoTable extends Error {
  readonly refusal: FileRefusal
  readonly choice: SheetChoice

  constructor(refusal: FileRefusal, choice: SheetChoice) {
    super(refusal.message)
    this.refusal = refusal
    this.choice = choice
  }
}

/** An error that says why the file can't be imported, with the messages of `import` or the packed one of a reader. */
type FileRefusal = Error & { messages?: Message[]; packed?: Uint8Array }

export const isFileRefusal = (error: unknown): error is FileRefusal =>
  error instanceof Error && error.name === 'Problem'

export function messageOfRefusal({ message, messages, packed }: FileRefusal): Message {
  const [first = { code: '', text: message }] = packed ? unpackMessages(packed) : (messages ?? [])
  return first
}
