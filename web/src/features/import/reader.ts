import * as Comlink from 'comlink'
import { type ColumnMapping, type Corrections, core, type ReadOptions } from '~/core'
import { spokenChecked, spokenOpened } from '~/import/spoken'
import type { Checked, Opened, Word } from '~/import/types'
import type { ImportEngine } from '~/import/worker'

/** The first rows show within a blink; what takes so long reads something that was made to take long. */
const PREVIEW_MS = 5_000
/** A check tells how far it is ten times a second. */
const SILENCE_MS = 20_000

/** The engine broke down, or was given up on. */
export class Broken extends Error {}
/** It never began: the worker's own program could not be fetched. */
export class Unstarted extends Broken {}

/** The import engine in its worker. The page never touches the file itself, so it never stutters over it. */
export function startReader(hear: (word: Word) => void) {
  const worker = new Worker(new URL('../../import/worker.ts', import.meta.url), {
    type: 'module',
    name: 'import',
  })
  let end: (why: Error) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  // Whoever waits is told; with nobody waiting there is nothing to tell.
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
  worker.onerror = event => close(new (isStarted ? Broken : Unstarted)(event.message))

  // The watchdog. It sleeps while nothing is asked, and while a module is fetched, which the network takes its time for.
  let timer: ReturnType<typeof setTimeout> | undefined
  let patience = SILENCE_MS
  let waiting = 0
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => close(new Broken('The import worker is silent')), patience)
  }
  const remote = Comlink.wrap<ImportEngine>(worker)
  const listener = Comlink.proxy((word: Word) => {
    if (over) return
    clearTimeout(timer)
    if (word.kind !== 'fetching' && waiting > 0) watch()
    hear(word)
  })
  Promise.race([remote.listen(listener), ended]).then(
    () => {
      isStarted = true
    },
    () => undefined,
  )

  const answer = async <T>(work: Promise<T>): Promise<T> => {
    waiting += 1
    try {
      return await Promise.race([work, ended])
    } catch (error) {
      // What is thrown is a fault, after which the engine can't be trusted: out of memory, for example.
      const why = error instanceof Broken ? error : new Broken(String(error))
      close(why)
      throw why
    } finally {
      waiting -= 1
      if (waiting === 0) clearTimeout(timer)
    }
  }
  /** A question that is answered at once, or by a worker that isn't there any more never. */
  const ask = async <T>(question: () => Promise<T>): Promise<T> =>
    Promise.race([over ? ended : question(), ended])
  return {
    isOver: () => over,
    open(file: File, options: ReadOptions) {
      patience = PREVIEW_MS
      return answer(remote.open(file, options) as Promise<Opened>).then(spokenOpened)
    },
    check(run: number, mapping: ColumnMapping[], corrections: Corrections) {
      patience = SILENCE_MS
      return answer(remote.check(run, mapping, corrections) as Promise<Checked>).then(spokenChecked)
    },
    problems: (run: number, kind: number, from: number, count: number) =>
      ask(() => remote.problems(run, kind, from, count)),
    rowsOf: (run: number, kind: number) => ask(() => remote.rowsOf(run, kind)),
    alike: (run: number, kind: number, value: string) => ask(() => remote.alike(run, kind, value)),
    repeats: (run: number, from: number, count: number) => ask(() => remote.repeats(run, from, count)),
    /** Fetches the modules that only some files need, so that a network that fails later doesn't matter. */
    warmUp: () => ask(() => remote.warmUp()).catch(() => undefined),
    /** Ends the worker, whatever it does at the moment; who waits for it is told. */
    close: () => close(new Broken(core.texts().import.previewFailed)),
  }
}

export type Reader = ReturnType<typeof startReader>
