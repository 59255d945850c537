import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { ColumnMapping, Corrections, Message } from '~/core'
import type { Progress, Result, WorkerMessage } from '~/import/types'
import type { OpenFile } from './useReader'

/** Milliseconds after a change before the check starts, so that several quick changes are checked together. */
const PAUSE_MS = 300

export type Check = {
  state: 'none' | 'running' | 'done' | 'failed'
  /** The progress of the running check. */
  progress?: Progress
  /** The result of the last complete check; outdated while another one runs. */
  result?: Result
  /** The error message, if the check failed. */
  message?: Message
}

type Outcome = { result: Result } | { refused: Message } | { superseded: true }
type Run = (run: number, mapping: ColumnMapping[], corrections: Corrections) => Promise<Outcome>

type State = Check & { of?: OpenFile }

/**
 * Checks every row of the file with the current mapping and corrections, if the mapping is valid. A new check replaces
 * a running one. The result of the previous check remains until the new one is complete.
 */
export function useCheck(
  opened: OpenFile | undefined,
  mapping: ColumnMapping[],
  isMappingValid: boolean,
  corrections: Corrections,
  ask: Run,
): { check: Check; onMessage: (word: WorkerMessage) => void } {
  const [state, setState] = useState<State>({ state: 'none' })
  const runs = useRef(0)
  const checkedFile = useRef<OpenFile>(undefined)
  useEffect(() => {
    runs.current += 1
    const run = runs.current
    if (!opened || !isMappingValid) {
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
    const pause = checkedFile.current === opened ? PAUSE_MS : 0
    checkedFile.current = opened
    const timer = setTimeout(() => void begin(), pause)
    return () => clearTimeout(timer)
  }, [opened, mapping, isMappingValid, corrections, ask])

  const onMessage = useCallback((word: WorkerMessage) => {
    if (word.kind !== 'progress' || word.run !== runs.current) return
    // Ignored unless a check runs, because the last progress message may arrive after the result.
    startTransition(() => setState(old => (old.state === 'running' ? { ...old, progress: word } : old)))
  }, [])
  return { check: state, onMessage }
}
