import { useCallback, useEffect, useRef } from 'react'
import {
  type ColumnMapping,
  type Corrections,
  core,
  type FileHead,
  type Message,
  type ReadOptions,
} from '~/core'
import type { Checked, FileRejection, Opened, SheetChoice, WorkerMessage } from '~/import/types'
import { type Reader, startReader, WorkerError, WorkerLoadError } from './reader'

/** Maximum milliseconds to wait until the browser is idle. */
const IDLE_MS = 4_000

const whenIdle = (work: () => void) => {
  if (!('requestIdleCallback' in window)) return setTimeout(work, IDLE_MS)
  return requestIdleCallback(work, { timeout: IDLE_MS })
}

/** A response of the worker in which a failed load of a module has an error message, too. */
type Explained<T> = Exclude<T, FileRejection> | { refused: Message; sheets?: SheetChoice }

/** Replaces `lost`, a failed load of a module, by its error message. */
function explain<T extends object>(answer: T | FileRejection): Explained<T> {
  if (!('lost' in answer)) return answer as Explained<T>
  return { refused: core.texts().general.noConnection }
}

/** Returns the error message for a worker that crashed or failed to load. Throws other errors. */
function workerErrorMessage(error: unknown): Message {
  if (!(error instanceof WorkerError)) throw error
  const { import: texts, general } = core.texts()
  return error instanceof WorkerLoadError ? general.noConnection : texts.fileUnreadable
}

/** A file that the worker has opened. */
export type OpenFile = {
  file: File
  head: FileHead
  /** The encodings that a text file can be read in. */
  encodings: string[]
  /** All options that the file was read with. */
  options: ReadOptions
  /** The part of `options` that the user chose; the others were detected. */
  chosen: ReadOptions
}

/** The arguments that opened a file, so that a new worker can open it again. */
type OpenRequest = { file: File; options: ReadOptions }

/**
 * Runs the import worker while the wizard is open. A crashed worker is replaced: the running request fails, and the
 * next check first opens the file again. Memoize `onMessage`: a new function ends the worker.
 */
export function useReader(onMessage: (word: WorkerMessage) => void) {
  const reader = useRef<Reader>(null)
  /** The file that the current worker has opened. */
  const opened = useRef<{ by: Reader; request: OpenRequest }>(undefined)
  const engine = useCallback((): Reader => {
    if (!reader.current || reader.current.isOver()) {
      const fresh = startReader(onMessage)
      reader.current = fresh
      whenIdle(() => void fresh.warmUp())
    }
    return reader.current
  }, [onMessage])
  useEffect(() => {
    engine()
    return () => {
      reader.current?.close()
      reader.current = null
    }
  }, [engine])

  const open = useCallback(
    async (request: OpenRequest): Promise<Explained<Opened>> => {
      try {
        const by = engine()
        const answer = await by.open(request.file, request.options)
        if ('head' in answer) opened.current = { by, request }
        // Closed, because a worker that failed to import a module can't import that module again.
        if ('lost' in answer) by.close()
        return explain<Opened>(answer)
      } catch (error) {
        return { refused: workerErrorMessage(error) }
      }
    },
    [engine],
  )

  const check = useCallback(
    async (
      request: OpenRequest,
      run: number,
      mapping: ColumnMapping[],
      corrections: Corrections,
    ): Promise<Explained<Checked>> => {
      try {
        const by = engine()
        if (opened.current?.by !== by) {
          const answer = await open(request)
          if ('refused' in answer) return answer
        }
        return explain<Checked>(await by.check(run, mapping, corrections))
      } catch (error) {
        return { refused: workerErrorMessage(error) }
      }
    },
    [engine, open],
  )

  return { engine, open, check }
}

export type ImportReader = ReturnType<typeof useReader>
