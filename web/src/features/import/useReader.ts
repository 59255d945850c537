import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { type ColumnMapping, type Corrections, core, type FileHead, type ReadOptions } from '~/core'
import type { Checked, Opened, Refused, SheetChoice, Word } from '~/import/types'
import { Broken, type Reader, startReader, Unstarted } from './reader'

/** When nothing else is to be done, and at the latest after so long. */
const IDLE_MS = 4_000

const whenIdle = (work: () => void) => {
  if (!('requestIdleCallback' in window)) return setTimeout(work, IDLE_MS)
  return requestIdleCallback(work, { timeout: IDLE_MS })
}

/** What came of a question, and nothing left to explain. */
type Plain<T> = Exclude<T, Refused> | { refused: string; sheets?: SheetChoice }

/** The sentence for whatever the engine doesn't have one for. */
function plain<T extends object>(answer: T | Refused): Plain<T> {
  if (!('lost' in answer)) return answer as Plain<T>
  const { import: texts, general } = core.texts()
  return { refused: answer.lost === 'file' ? texts.fileChanged : general.noConnection }
}

/** The engine broke down over the file. */
function unreadable(error: unknown): string {
  if (!(error instanceof Broken)) throw error
  const { import: texts, general } = core.texts()
  return error instanceof Unstarted ? general.noConnection : texts.fileUnreadable
}

/** A file that the worker has opened. */
export type OpenFile = {
  file: File
  head: FileHead
  /** The encodings that a text file can be read in. */
  encodings: { value: string; label: string }[]
  /** All options that the file was read with. */
  options: ReadOptions
  /** Those of them that the user chose. */
  chosen: ReadOptions
}

/** A file as the engine has opened it, so that a new engine can open it again. */
export type Reading = { file: File; options: ReadOptions }

/**
 * The engine, for as long as the wizard is open. One that broke down is replaced, and whoever asks the new one never
 * notices, save that what was under way is lost.
 */
export function useReader(hear: (word: Word) => void) {
  const reader = useRef<Reader>(null)
  /** What the present engine has opened. */
  const opened = useRef<{ by: Reader; reading: Reading }>(undefined)
  const latest = useRef(hear)
  useLayoutEffect(() => {
    latest.current = hear
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
    async (reading: Reading): Promise<Plain<Opened>> => {
      try {
        const by = engine()
        const answer = await by.open(reading.file, reading.options)
        if ('head' in answer) opened.current = { by, reading }
        // A module that once failed to come never comes to this worker.
        if ('lost' in answer && answer.lost === 'engine') by.close()
        return plain<Opened>(answer)
      } catch (error) {
        return { refused: unreadable(error) }
      }
    },
    [engine],
  )

  const check = useCallback(
    async (
      reading: Reading,
      run: number,
      mapping: ColumnMapping[],
      corrections: Corrections,
    ): Promise<Plain<Checked>> => {
      try {
        const by = engine()
        if (opened.current?.by !== by) {
          const answer = await open(reading)
          if ('refused' in answer) return answer
        }
        return plain<Checked>(await by.check(run, mapping, corrections))
      } catch (error) {
        return { refused: unreadable(error) }
      }
    },
    [engine, open],
  )

  return useMemo(() => ({ engine, open, check }), [engine, open, check])
}

export type Engine = ReturnType<typeof useReader>
