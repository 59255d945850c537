import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { ColumnMapping, Corrections } from '~/core'
import type { Progress, Result, Word } from '~/import/types'
import type { OpenFile } from './useReader'

/** Corrections that follow one another closely are checked together. */
const PAUSE_MS = 300

/** How far the check of the whole file is. */
export type Check = {
  state: 'none' | 'running' | 'done' | 'failed'
  /** How far the check is that runs. */
  progress?: Progress
  /** What the last whole check came to; out of date while another one runs. */
  result?: Result
  /** Why it failed. */
  message?: string
}

type Outcome = { result: Result } | { refused: string } | { superseded: true }
type Run = (run: number, mapping: ColumnMapping[], corrections: Corrections) => Promise<Outcome>

type State = Check & { of?: OpenFile }

/**
 * Checks every row of the file with the present mapping and corrections, as soon as there is a mapping that holds. A newer
 * check takes the older one's place; what that came to stays in view until then.
 */
export function useCheck(
  opened: OpenFile | undefined,
  mapping: ColumnMapping[],
  holds: boolean,
  corrections: Corrections,
  ask: Run,
): { check: Check; hear: (word: Word) => void } {
  const [state, setState] = useState<State>({ state: 'none' })
  const runs = useRef(0)
  const isKnown = useRef<OpenFile>(undefined)
  useEffect(() => {
    runs.current += 1
    const run = runs.current
    if (!opened || !holds) {
      setState({ state: 'none' })
      return
    }
    setState(old => ({ state: 'running', result: old.of === opened ? old.result : undefined, of: opened }))
    const begin = async () => {
      const outcome = await ask(run, mapping, corrections)
      if (run !== runs.current || 'superseded' in outcome) return
      startTransition(() =>
        setState(
          'refused' in outcome
            ? { state: 'failed', message: outcome.refused, of: opened }
            : { state: 'done', result: outcome.result, of: opened },
        ),
      )
    }
    const pause = isKnown.current === opened ? PAUSE_MS : 0
    isKnown.current = opened
    const timer = setTimeout(() => void begin(), pause)
    return () => clearTimeout(timer)
  }, [opened, mapping, holds, corrections, ask])

  const hear = useCallback((word: Word) => {
    if (word.kind !== 'progress' || word.run !== runs.current) return
    // Its last word may come after the verdict, since it travels on its own way.
    startTransition(() => setState(old => (old.state === 'running' ? { ...old, progress: word } : old)))
  }, [])
  return { check: state, hear }
}
