import type { Counts, FileHead, Kinds, Message, SheetHead, Verdict } from '~/core/import'

export type Progress = {
  run: number
  counts: Counts
  kinds: Kinds
  /** The fraction (0 to 1) of the file that was read; undefined if the total is unknown. */
  share?: number
}

export type Result = Progress & {
  verdict: Verdict
  /** The rows contain invalid UTF-8, which was replaced by U+FFFD. Always false for other encodings. */
  isDamaged: boolean
}

/** The sheets of a workbook, and the selected one, if any. */
export type SheetChoice = { sheets: SheetHead[]; sheet?: string }

/** Why a file can't be used. Returned as a value, because an exception would mean that the worker is broken. */
export type FileRejection =
  /** The error message, and the sheets that can be chosen instead. */
  | { refused: Message; sheets?: SheetChoice }
  /** A wasm module failed to load. */
  | { lost: 'engine' }
export type Opened = { head: FileHead; encodings: string[] } | FileRejection
export type Checked =
  | { result: Result }
  | FileRejection
  /** A newer check or another file has replaced this check. */
  | { superseded: true }
  /** Later content of the file has shown another encoding. Check the file again, with this head. */
  | { reread: FileHead }

/** A message that the worker sends on its own, not as the response to a call. */
export type WorkerMessage =
  /** A wasm module is being fetched. The page's watchdog is off meanwhile. */
  | { kind: 'fetching' }
  /** The worker computes. The page's watchdog is on. */
  | { kind: 'working' }
  | ({ kind: 'progress' } & Progress)
