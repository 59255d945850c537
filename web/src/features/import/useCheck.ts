import { startTransition, useEffect, useRef, useState } from 'react'
import { type ColumnMapping, core } from '~/core'
import type { ImportEngine } from '~/import-worker'
import { sentenceOf } from '~/lib/problem'
import type { OpenFile } from './useImport'

/** What the check of a whole file comes to: its verdict, how many problems there are, and how many are listed. */
export type Result = Awaited<ReturnType<ImportEngine['check']>>

/** How far the check of the whole file is. */
export type Check =
  | { state: 'none' }
  | { state: 'running'; checked: number }
  | ({ state: 'done' } & Result)
  | { state: 'failed'; message: string }

type Run = (mapping: ColumnMapping[], progress: (checked: number) => void) => Promise<Result>

/**
 * Checks every row of the file with the present mapping, as soon as there is one that holds. The engine does one check at
 * a time; of the mappings that are made meanwhile only the last one is checked.
 */
export function useCheck(
  opened: OpenFile | undefined,
  mapping: ColumnMapping[],
  holds: boolean,
  run: Run,
): Check {
  const [check, setCheck] = useState<Check>({ state: 'none' })
  const before = useRef<Promise<unknown>>(Promise.resolve())
  useEffect(() => {
    if (!opened || !holds) {
      setCheck({ state: 'none' })
      return
    }
    let live = true
    const tell = (next: Check) => {
      if (live) startTransition(() => setCheck(next))
    }
    tell({ state: 'running', checked: 0 })
    const mine = async () => {
      if (!live) return
      // The count travels on its own way, and its last word may come after the verdict.
      let counting = true
      const count = (checked: number) => counting && tell({ state: 'running', checked })
      try {
        const result = await run(mapping, count)
        counting = false
        tell({ state: 'done', ...result })
      } catch (error) {
        counting = false
        tell({ state: 'failed', message: sentenceOf(error, core.texts().import.previewFailed) })
      }
    }
    before.current = before.current.then(mine, mine)
    return () => {
      live = false
    }
  }, [opened, mapping, holds, run])
  return check
}
