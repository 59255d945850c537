import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
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

/** Upper bound of the wait for an idle browser. */
const IDLE_MS = 4_000

const whenIdle = (work: () => void) => {
  if (!('requestIdleCallback' in window)) return setTimeout(work, IDLE_MS)
  return requestIdleCallback(work, { timeout: IDLE_MS })
}

/** A result, or the error message to show. */
type Explained<T> = Exclude<T, FileRejection> | { refused: Message; sheets?: SheetChoice }

/** Replaces `lost`, for which the worker has no error message, by one. */
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
  /** Those of them that the user chose. */
  chosen: ReadOptions
}

/** The arguments that opened a file, so that a new worker can open it again. */
export type OpenRequest = { file: File; options: ReadOptions }

/**
 * The import worker while the wizard is open. A crashed worker is replaced: the request that was running fails, and the next
 * check opens the file again.
 */
export function useReader(onMessage: (word: WorkerMessage) => void) {
  const reader = useRef<Reader>(null)
  /** The file that the current worker has opened. */
  const opened = useRef<{ by: Reader; request: OpenRequest }>(undefined)
  const latest = useRef(onMessage)
  useLayoutEffect(() => {
    latest.current = onMessage
  })

  const engine = useCallback((): Reader => {
    if (!reader.current || reader.current.isOver()) {
      const fresh = startReader(word => latest.current(word))
      reader.current = fresh
      whenIdle(() => void fresh.warmUp())
    }
    return reader.current
  }, [])
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
        // A worker that failed to import a module can't import it again.
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

  return useMemo(() => ({ engine, open, check }), [engine, open, check])
}

export type ImportReader = ReturnType<typeof useReader>
