import * as Comlink from 'comlink'
import type { ColumnMapping } from '~/core'
import type { ImportEngine } from '~/import-worker'

/** The import engine in its worker. The page never touches the file itself, so it never stutters over it. */
export function startReader() {
  const worker = new Worker(new URL('../../import-worker.ts', import.meta.url), {
    type: 'module',
    name: 'import',
  })
  let end: (why: Error) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  // Whoever waits is told; with nobody waiting there is nothing to tell.
  ended.catch(() => undefined)
  worker.onerror = event => end(new Error(event.message || 'The import worker broke down'))
  const remote = Comlink.wrap<ImportEngine>(worker)
  let waiting = 0
  let broken = false
  const answer = async <T>(work: Promise<T>): Promise<T> => {
    waiting += 1
    try {
      return await Promise.race([work, ended])
    } catch (error) {
      // Anything but a refusal is a fault, after which the engine can't be trusted: out of memory, for example.
      if (!(error instanceof Error && error.name === 'Problem')) broken = true
      throw error
    } finally {
      waiting -= 1
    }
  }
  return {
    /** It would neither let a new question wait nor answer it wrongly. */
    isReady: () => waiting === 0 && !broken,
    open: (file: File) => answer(remote.open(file)),
    check: (mapping: ColumnMapping[], progress: (checked: number) => void) =>
      answer(remote.check(mapping, Comlink.proxy(progress))),
    problems: (from: number, count: number) => answer(remote.problems(from, count)),
    submit: (token: string, file: File, mapping: ColumnMapping[]) =>
      answer(remote.submit(token, file, mapping)),
    /** Ends the worker, whatever it does at the moment; who waits for it is told. */
    close() {
      end(new Error('The import worker was closed'))
      remote[Comlink.releaseProxy]()
      worker.terminate()
    },
  }
}

export type Reader = ReturnType<typeof startReader>
