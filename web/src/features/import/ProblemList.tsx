import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { RowProblem } from '~/core'
import { count, counted } from '~/lib/format'
import { ScrollRegion } from '~/ui/ScrollRegion'
import type { Result } from './useCheck'
import type { Import } from './useImport'

const PORTION = 200
const ROW_PX = 44

const portionOf = (index: number) => Math.floor(index / PORTION)

type Props = { problems: Import['problems']; result: Result }

/** Every problem of the file, fetched from the worker as the list is scrolled. */
export function ProblemList({ problems, result }: Props) {
  const [known, setKnown] = useState<ReadonlyMap<number, RowProblem[]>>(new Map())
  const scroller = useRef<HTMLElement>(null)
  const list = useVirtualizer({
    count: result.listed,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  })
  const items = list.getVirtualItems()
  const first = portionOf(items[0]?.index ?? 0)
  const last = portionOf(items.at(-1)?.index ?? 0)
  useEffect(() => {
    let live = true
    for (let portion = first; portion <= last; portion++) {
      if (known.has(portion)) continue
      problems(portion * PORTION, PORTION).then(
        rows => live && setKnown(old => new Map(old).set(portion, rows)),
        // The wizard was closed, or the engine broke down, which the next question to it tells.
        () => undefined,
      )
    }
    return () => {
      live = false
    }
  }, [first, last, known, problems])

  return (
    <section aria-labelledby="problems-title" className="card overflow-hidden">
      <h3 id="problems-title" className="border-b border-line px-4 py-3 text-sm font-semibold">
        {counted(result.problems, 'problem')} in {counted(result.verdict.failed, 'row')}
        {result.listed < result.problems && (
          <span className="font-normal text-muted">{`, the first ${count(result.listed)} are listed`}</span>
        )}
      </h3>
      <ScrollRegion ref={scroller} label="Problems" className="max-h-80 overflow-y-auto">
        <ul className="relative" style={{ height: list.getTotalSize() }}>
          {items.map(item => {
            const problem = known.get(portionOf(item.index))?.[item.index % PORTION]
            return (
              <li
                key={item.key}
                ref={list.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0 grid min-h-11 grid-cols-[5.5rem_1fr] items-baseline gap-x-4 border-b border-line px-4 py-2.5 md:grid-cols-[6rem_minmax(8rem,1fr)_minmax(8rem,1fr)_2fr]"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {problem ? (
                  <>
                    <span className="text-muted tabular-nums">{`Row ${problem.row}`}</span>
                    <span className="truncate font-medium" title={problem.fileColumn}>
                      {problem.fileColumn || 'Whole row'}
                    </span>
                    <span className="truncate text-muted max-md:col-start-2" title={problem.value}>
                      {problem.value || 'empty'}
                    </span>
                    <span className="text-danger max-md:col-start-2">{problem.message}</span>
                  </>
                ) : (
                  <span className="col-span-full text-muted">Loading more</span>
                )}
              </li>
            )
          })}
        </ul>
      </ScrollRegion>
    </section>
  )
}
