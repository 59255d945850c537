import { t } from '@lingui/core/macro'
import * as Comlink from 'comlink'
import type { ColumnMapping, Corrections, ReadOptions } from '~/core'
import type { Engine } from '~/import/engine'
import type { Checked, Opened, WorkerMessage } from '~/import/types'

/** Timeout for the first rows of a file, which normally take a fraction of a second. */
const PREVIEW_MS = 5_000
/** Timeout for the next progress message of a check, which sends ten per second. */
const SILENCE_MS = 20_000

/** The worker crashed or was terminated. */
export class WorkerError extends Error {}
/** The worker's script failed to load. */
export class WorkerLoadError extends WorkerError {}

/** Starts the import worker. It reads the file, so that the page stays responsive. */
export function startReader(onMessage: (word: WorkerMessage) => void) {
  const worker = new Worker(new URL('../../import/worker.ts', import.meta.url), {
    type: 'module',
    name: 'import',
  })
  let end: (why: Error) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  // Without a pending request, the rejection would be unhandled.
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

  // The watchdog. It is off without a pending request, and while a module is fetched, because networks can be slow.
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

  /** Waits for a response under the watchdog. Closes the worker if the request is rejected. */
  const awaitWatched = async <T>(work: Promise<T>): Promise<T> => {
    waiting += 1
    try {
      return await Promise.race([work, ended])
    } catch (error) {
      // An exception is a fault, such as out of memory. The worker is unusable afterwards.
      const why = error instanceof WorkerError ? error : new WorkerError(String(error))
      close(why)
      throw why
    } finally {
      waiting -= 1
      if (waiting === 0) clearTimeout(timer)
    }
  }
  /** Sends a request without a timeout. It is rejected when the worker ends. */
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
    countAlike: (run: number, kind: number, value: string) => ask(() => remote.countAlike(run, kind, value)),
    duplicates: (run: number, from: number, count: number) => ask(() => remote.duplicates(run, from, count)),
    /** Fetches the modules that only some files need, so that they are available offline. */
    warmUp: () => ask(() => remote.warmUp()).catch(() => undefined),
    /** Terminates the worker. Pending requests are rejected. */
    close: () => close(new WorkerError(t`Failed to preview import file`)),
  }
}

export type Reader = ReturnType<typeof startReader>
