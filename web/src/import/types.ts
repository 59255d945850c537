import type { Counts, FileHead, Kinds, Message, SheetHead, Verdict } from '~/core/import'

export type Progress = {
  run: number
  counts: Counts
  kinds: Kinds
  /** The fraction of the file that was read, if the total is known. */
  share?: number
}

export type Result = Progress & {
  verdict: Verdict
  /** Some characters couldn't be decoded and were replaced by U+FFFD. */
  isDamaged: boolean
}

/** The sheets of a workbook, and the selected one, if any. */
export type SheetChoice = { sheets: SheetHead[]; sheet?: string }

/** The file can't be used. Returned as a value, because an exception means that the worker is broken. */
export type FileRejection =
  /** The error message, and the sheets that can be chosen instead. */
  | { refused: Message; sheets?: SheetChoice }
  /** A wasm module failed to load. */
  | { lost: 'engine' }
export type Opened = { head: FileHead; encodings: string[] } | FileRejection
export type Checked =
  | { result: Result }
  | FileRejection
  /** A newer check or another file replaced it. */
  | { superseded: true }
  /** The encoding was detected again from later content. Check the file with this head. */
  | { reread: FileHead }

/** A message from the worker that is no response. */
export type WorkerMessage =
  /** A module is being fetched. The watchdog waits. */
  | { kind: 'fetching' }
  /** The worker computes. The watchdog runs. */
  | { kind: 'working' }
  | ({ kind: 'progress' } & Progress)
