import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ScrollRegion } from '~/ui/ScrollRegion'
import { correctAlike, correctCell, leaveOut } from './changes'
import { ProblemRow } from './ProblemRow'
import { settling } from './settled'
import type { Import } from './useImport'
import { useProblems, type Which } from './useProblems'

const ROW_PX = 78

/** The cell that is open to be corrected, and how many problems have its value. */
type Edited = { row: number; column: number; alike: number }

type Props = { work: Import; columns: string[]; which: Which; label: string }

/** Every problem of a list, of which only what is in sight is drawn. */
export function ProblemList({ work, columns, which, label }: Props) {
  const { changes, change, engine } = work
  const { listed, at, find, look } = useProblems(which, engine)
  const scroller = useRef<HTMLElement>(null)
  const [edited, setEdited] = useState<Edited>()
  /** The place that is to be gone to as soon as it is there, and whether to correct it or only to stand on it. */
  const [next, setNext] = useState<{ index: number; isEdit: boolean }>()
  const settledOf = useMemo(() => settling(changes), [changes])
  const editedAt = useMemo(() => (edited ? find(edited.row, edited.column) : undefined), [edited, find])

  const list = useVirtualizer({
    count: listed,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: useCallback(
      (index: number) => {
        const problem = at(index)
        return problem ? `${problem.row} ${problem.column} ${problem.message}` : index
      },
      [at],
    ),
    // What is typed stays, however far away one scrolls.
    rangeExtractor: useCallback(
      (range: Range) => {
        const inSight = defaultRangeExtractor(range)
        if (editedAt === undefined || inSight.includes(editedAt)) return inSight
        return [...inSight, editedAt].sort((a, b) => a - b)
      },
      [editedAt],
    ),
  })
  const items = list.getVirtualItems()
  const [first, last] = [list.range?.startIndex ?? 0, list.range?.endIndex ?? 0]
  useEffect(() => look(first, last), [look, first, last])

  const edit = useCallback(
    (index: number) => {
      const problem = at(index)
      if (!problem) return
      setEdited({ row: problem.row, column: problem.column, alike: 0 })
      engine()
        .alike(which.run, problem.kind, problem.value)
        .then(
          alike =>
            setEdited(old =>
              old?.row === problem.row && old.column === problem.column ? { ...old, alike } : old,
            ),
          () => undefined,
        )
    },
    [at, engine, which.run],
  )
  /** Goes to a row; to the next one with a cell to correct, if it is to be corrected. */
  const go = useCallback(
    (index: number, isEdit: boolean) => {
      if (index < 0 || index >= listed) return
      list.scrollToIndex(index, { align: 'auto' })
      setNext({ index, isEdit })
    },
    [list, listed],
  )
  useEffect(() => {
    if (!next) return
    const problem = at(next.index)
    if (!problem) return
    const isOpen = problem.column >= 0 && !settledOf(problem, columns[problem.column] ?? '')
    if (next.isEdit && !isOpen && next.index + 1 < listed) {
      setNext({ index: next.index + 1, isEdit: true })
      return
    }
    setNext(undefined)
    if (next.isEdit && isOpen) edit(next.index)
    else focusRow(scroller.current, next.index)
  }, [next, at, listed, settledOf, columns, edit])

  const close = (index: number) => {
    setEdited(undefined)
    // The cell's own button is back, and has the focus that was in its box.
    setNext({ index, isEdit: false })
  }
  const correct = (index: number, value: string, alike: number) => {
    const problem = at(index)
    const column = problem && columns[problem.column]
    if (!problem || column === undefined) return
    if (value !== problem.value) {
      change(old =>
        alike > 1
          ? correctAlike(old, column, problem.value, value, alike)
          : correctCell(old, problem.row, column, problem.value, value),
      )
    }
    setEdited(undefined)
    if (index + 1 < listed) go(index + 1, true)
    else scroller.current?.focus()
  }
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const row = (event.target as Element).closest('[data-index]')
    if (step === 0 || !row || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    go(Number(row.getAttribute('data-index')) + step, false)
  }

  return (
    <ScrollRegion ref={scroller} label={label} className="h-[min(32rem,60vh)] overflow-y-auto">
      <ul className="relative" style={{ height: list.getTotalSize() }} onKeyDown={walk}>
        {items.map(item => {
          const problem = at(item.index)
          const isEdited = editedAt === item.index
          return (
            <li
              key={item.key}
              ref={list.measureElement}
              data-index={item.index}
              aria-setsize={listed}
              aria-posinset={item.index + 1}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {problem ? (
                <ProblemRow
                  problem={problem}
                  columns={columns}
                  settled={settledOf(problem, columns[problem.column] ?? '')}
                  isEdited={isEdited}
                  alike={isEdited ? (edited?.alike ?? 0) : 0}
                  onEdit={() => edit(item.index)}
                  onCorrect={value => correct(item.index, value, 1)}
                  onCorrectAlike={value => correct(item.index, value, edited?.alike ?? 1)}
                  onCancel={() => close(item.index)}
                  onLeaveOut={() => {
                    change(old => leaveOut(old, [problem.row], problem.message))
                    go(item.index + 1, false)
                  }}
                />
              ) : (
                <div className="px-4 py-7">
                  <div className="skeleton h-4 w-2/3" />
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </ScrollRegion>
  )
}

/** Stands on a row: on its cell to correct, or else on its button to leave it out. */
function focusRow(scroller: HTMLElement | null, index: number) {
  const row = scroller?.querySelector(`[data-index="${index}"]`)
  const target =
    row?.querySelector<HTMLElement>('[data-correct]') ?? row?.querySelector<HTMLElement>('button')
  target?.focus({ preventScroll: true })
}
