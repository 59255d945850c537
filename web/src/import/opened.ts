import type { CsvReader, DetectedFile, FileHead, ReadOptions } from '~/core/import'
import type { SheetChoice } from './types'

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

export function freed({ desk, reader }: OpenedFile) {
  desk.free()
  reader.free()
}

/** The sheet of a workbook can't be imported; another one may be. */
export class NoTable extends Error {
  readonly choice: SheetChoice

  constructor(message: string, choice: SheetChoice) {
    super(message)
    this.choice = choice
  }
}

/** Returns whether an error says why the file can't be imported, with a sentence to show. */
export const isFileRefusal = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'Problem'
