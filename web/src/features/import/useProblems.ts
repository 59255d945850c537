import { startTransition, useCallback, useEffect, useState } from 'react'
import type { ListedProblem } from '~/core/import'
import type { Reader } from './reader'

/** The number of problems that are requested from the worker at once. */
const PORTION = 60

const portionOf = (index: number) => Math.floor(Math.max(0, index) / PORTION)

/**
 * Selects the problems of one kind (-1: of all kinds) that the check number `run` has found. `listed` is their number.
 */
export type ProblemSelection = { run: number; kind: number; listed: number }

type View = ProblemSelection & { portions: ReadonlyMap<number, ListedProblem[]> }

const isWhole = (rows: ListedProblem[] | undefined, portion: number, listed: number) =>
  rows !== undefined && rows.length >= Math.min(PORTION, listed - portion * PORTION)

/**
 * Returns a list of problems, of which only the visible part is fetched from the worker. When another list is selected,
 * the old one stays until the visible part of the new one has arrived, so that nothing flickers.
 */
export function useProblems({ run, kind, listed }: ProblemSelection, engine: () => Reader) {
  const [view, setView] = useState<View>({ run, kind, listed: 0, portions: new Map() })
  const [range, setRange] = useState({ first: 0, last: 0 })
  useEffect(() => {
    let isMounted = true
    const isSame = view.run === run && view.kind === kind
    const last = Math.min(range.last + 1, portionOf(listed - 1))
    const missing: number[] = []
    for (let portion = Math.max(0, Math.min(range.first - 1, last)); portion <= last; portion++) {
      if (!isSame || !isWhole(view.portions.get(portion), portion, listed)) missing.push(portion)
    }
    if (missing.length === 0) {
      if (view.listed !== listed) setView(old => ({ ...old, listed }))
      return
    }
    const fetch = async () => {
      const fetched: [number, ListedProblem[]][] = []
      for (const portion of missing) {
        const rows = await engine().problems(run, kind, portion * PORTION, PORTION)
        // Undefined rows mean that another check has started, whose problems are fetched by another effect.
        if (!rows || !isMounted) return
        fetched.push([portion, rows])
      }
      startTransition(() =>
        setView(old => ({
          run,
          kind,
          listed,
          portions: new Map([...(isSame ? old.portions : []), ...fetched]),
        })),
      )
    }
    // Ignored: the worker crashed or was closed, which the next check reports.
    fetch().catch(() => undefined)
    return () => {
      isMounted = false
    }
  }, [run, kind, listed, range, view, engine])

  const at = useCallback((index: number) => view.portions.get(portionOf(index))?.[index % PORTION], [view])
  /** Returns the index of the first such problem; undefined if none is in the fetched part of the list. */
  const find = useCallback(
    (isWanted: (problem: ListedProblem) => boolean): number | undefined => {
      for (const [portion, rows] of view.portions) {
        const place = rows.findIndex(isWanted)
        if (place >= 0) return portion * PORTION + place
      }
      return undefined
    },
    [view],
  )
  const setVisibleRange = useCallback((first: number, last: number) => {
    const next = { first: portionOf(first), last: portionOf(last) }
    setRange(old => (old.first === next.first && old.last === next.last ? old : next))
  }, [])
  return { run: view.run, listed: view.listed, at, find, setVisibleRange }
}
