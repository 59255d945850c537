import type { EncodingChoice, FileHead, SheetHead, Verdict } from '~/core/import'

/** What a check has come to so far. */
export type Counts = {
  total: number
  ready: number
  failed: number
  leftOut: number
  duplicates: number
  problems: number
  /** How many problems are kept to be looked at. */
  listed: number
  repeatsListed: number
}

/** Problems that are alike: the same column, the same sentence. */
export type Kind = {
  place: number
  /** The column's place; -1 when the row as a whole is meant. */
  column: number
  message: string
  count: number
  /** How many of them are kept to be looked at. */
  listed: number
}

/** The kinds that have most problems, and how many more kinds there are. */
export type Kinds = { top: Kind[]; more: number }

/** A problem with its row around it. */
export type Listed = {
  row: number
  kind: number
  column: number
  value: string
  message: string
  cells: { column: number; text: string }[]
}

/** A row that repeats an earlier one. */
export type Repeat = { row: number; first: number }

/** How far a check is. */
export type Progress = {
  run: number
  counts: Counts
  kinds: Kinds
  /** The share of the file that was read; absent where the whole isn't known. */
  share?: number
}

/** What a check came to. */
export type Result = {
  run: number
  counts: Counts
  kinds: Kinds
  verdict: Verdict
  /** Some characters can't be read and stand as U+FFFD. */
  isDamaged: boolean
}

/** The sheets of a workbook, and the one that was read, if any. */
export type SheetChoice = { sheets: SheetHead[]; sheet?: string }

/** A refusal comes back as a value; what is thrown is a fault. */
export type Refused =
  /** The sentence that says why, and the sheets that can be chosen instead. */
  | { refused: string; sheets?: SheetChoice }
  /** The file was changed or taken away, or a part of the engine can't be fetched. */
  | { lost: 'file' | 'engine' }
export type Opened = { head: FileHead; encodings: EncodingChoice[] } | Refused
export type Checked =
  | { result: Result }
  | Refused
  /** A newer check or another file took its place. */
  | { superseded: true }
  /** The file turned out to be something else than its beginning said; it is to be checked as this. */
  | { anew: FileHead }

/** What the worker says of its own accord. */
export type Word =
  /** A part of the engine is on its way, which may take as long as the network does. */
  | { kind: 'fetching' }
  /** It is at work, and should have news soon. */
  | { kind: 'working' }
  | ({ kind: 'progress' } & Progress)
