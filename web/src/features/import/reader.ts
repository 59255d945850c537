import { t } from '@lingui/core/macro'
import * as Comlink from 'comlink'
import type { ColumnMapping, Corrections, ReadOptions } from '~/core'
import type { Engine } from '~/import/engine'
import type { Checked, Opened, WorkerMessage } from '~/import/types'

/** Time without a message after which opening a file has failed. It normally takes a fraction of a second. */
const PREVIEW_MS = 5_000
/** Time without a message after which a check has failed. It normally sends ten progress messages per second. */
const SILENCE_MS = 20_000

/** The error of a worker that crashed or was terminated. */
export class WorkerError extends Error {}
/** The error of a worker whose script failed to load. */
export class WorkerLoadError extends WorkerError {}

/** Starts the import worker and returns its client. The worker reads files, so that the page stays responsive. */
export function startReader(onMessage: (word: WorkerMessage) => void) {
  const worker = new Worker(new URL('../../import/worker.ts', import.meta.url), {
    type: 'module',
    name: 'import',
  })
  let end: (why: Error) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  // Handles the rejection if no request is pending.
  ended.catch(() => undefined)
  let over = false
  const close = (why: Error) => {
    if (over) return
    over = true
    clearTimeout(timer)
    end(why)
    remote[Comlink.releaseProxy]()
    worker.terminate()
  }
  let isStarted = false
  worker.onerror = event => close(new (isStarted ? WorkerError : WorkerLoadError)(event.message))

  // The watchdog, which closes a silent worker. It is off while no request is pending, and while a module is fetched.
  let timer: ReturnType<typeof setTimeout> | undefined
  let patience = SILENCE_MS
  let waiting = 0
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => close(new WorkerError('The import worker is silent')), patience)
  }
  const remote = Comlink.wrap<Engine>(worker)
  const listener = Comlink.proxy((word: WorkerMessage) => {
    if (over) return
    clearTimeout(timer)
    if (word.kind !== 'fetching' && waiting > 0) watch()
    onMessage(word)
  })
  Promise.race([remote.listen(listener), ended]).then(
    () => {
      isStarted = true
    },
    () => undefined,
  )

  /** Waits for a response while the watchdog runs. Closes the worker if the request is rejected. */
  const awaitWatched = async <T>(work: Promise<T>): Promise<T> => {
    waiting += 1
    try {
      return await Promise.race([work, ended])
    } catch (error) {
      // Any exception means that the worker is broken, for example out of memory: errors of the file are values.
      const why = error instanceof WorkerError ? error : new WorkerError(String(error))
      close(why)
      throw why
    } finally {
      waiting -= 1
      if (waiting === 0) clearTimeout(timer)
    }
  }
  /** Sends a request without a timeout. Rejects if the worker ends before it responds. */
  const ask = async <T>(question: () => Promise<T>): Promise<T> =>
    Promise.race([over ? ended : question(), ended])
  return {
    isOver: () => over,
    open(file: File, options: ReadOptions) {
      patience = PREVIEW_MS
      return awaitWatched(remote.open(file, options) as Promise<Opened>)
    },
    check(run: number, mapping: ColumnMapping[], corrections: Corrections) {
      patience = SILENCE_MS
      return awaitWatched(remote.check(run, mapping, corrections) as Promise<Checked>)
    },
    problems: (run: number, kind: number, from: number, count: number) =>
      ask(() => remote.problems(run, kind, from, count)),
    rowsOf: (run: number, kind: number) => ask(() => remote.rowsOf(run, kind)),
    countAlike: (run: number, kind: number, value: string, except: number[]) =>
      ask(() => remote.countAlike(run, kind, value, except)),
    duplicates: (run: number) => ask(() => remote.duplicates(run)),
    /** Fetches the modules that only some files need, so that they are available offline. */
    warmUp: () => ask(() => remote.warmUp()).catch(() => undefined),
    /** Terminates the worker, so that pending requests reject. */
    close: () => close(new WorkerError(t`Failed to preview import file`)),
  }
}

export type Reader = ReturnType<typeof startReader>
