import { t } from '@lingui/core/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ListedProblem } from '~/core/import'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { ScrollRegion } from '~/ui/ScrollRegion'
import { type Change, correctAlike, correctCell, hasCorrected, leaveOut, rowsNotAlike } from './changes'
import { columnTitle } from './fields'
import { type Actions, ProblemRow } from './ProblemRow'
import { resolutionLookup } from './resolution'
import type { Import } from './useImport'
import { type ProblemSelection, useProblems } from './useProblems'
import { useRangeExtractor } from './useRangeExtractor'

const ROW_PX = 78

/** The on-screen keyboards for the values of fields. Those of other fields are texts. */
const inputModes: Record<string, 'email' | 'tel' | 'url'> = { email: 'email', phone: 'tel', website: 'url' }

/** The cell that is being edited. */
type Edited = {
  row: number
  column: number
  /** The new value, as typed so far. */
  typed: string
  /** The number of cells with the same problem and value that can be corrected together; 0 until counted. */
  alike: number
}

type Props = { work: Import; columns: string[]; which: ProblemSelection; label: string }

/** The list of a file's problems. Only the visible rows are rendered. */
export function ProblemList({ work, columns, which, label }: Props) {
  const { changes, change, engine, mapping } = work
  const { run, listed, at, find, setVisibleRange } = useProblems(which, engine)
  const scroller = useRef<HTMLElement>(null)
  const [edited, setEdited] = useState<Edited>()
  /** The index of the row to focus once it is loaded, and whether to edit its cell. */
  const [next, setNext] = useState<{ index: number; isEdit: boolean }>()
  const resolutionOf = useMemo(() => resolutionLookup(changes), [changes])
  const editedAt = useMemo(
    () => edited && find(({ row, column }) => row === edited.row && column === edited.column),
    [edited, find],
  )
  const stillWrong = useMemo(() => stillWrongText(changes, columns, find, at), [changes, columns, find, at])

  const list = useVirtualizer({
    count: listed,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: useCallback(
      (index: number) => {
        const problem = at(index)
        return problem ? `${problem.row} ${problem.column} ${problem.message.text}` : index
      },
      [at],
    ),
    // So that the input of the row that is being edited isn't lost.
    rangeExtractor: useRangeExtractor(editedAt),
  })
  const items = list.getVirtualItems()
  const [first, last] = [list.range?.startIndex ?? 0, list.range?.endIndex ?? 0]
  useEffect(() => setVisibleRange(first, last), [setVisibleRange, first, last])

  const editedItem = items.find(({ index }) => index === editedAt)
  // Scrolls the page, too, so that the number and the column of the edited row are visible. Again when the row moves: the
  // rows above it get their sizes only after it was rendered, and a correction or a check changes what is above the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what moves the row is only the reason to scroll.
  useLayoutEffect(() => {
    const row = scroller.current?.querySelector(`[data-index="${editedAt}"]`)
    if (!row?.contains(document.activeElement)) return
    // The whole row if there is room for it, and otherwise its upper part.
    for (const part of [row, document.activeElement, row.querySelector('span')])
      part?.scrollIntoView({ block: 'nearest' })
  }, [editedAt, editedItem?.start, editedItem?.size, which.run, changes])

  /** Scrolls to a row and focuses it. With `isEdit`, edits the first row from there that has a cell to correct. */
  const goTo = useCallback(
    (index: number, isEdit: boolean) => {
      if (index < 0 || index >= listed) return
      list.scrollToIndex(index, { align: 'auto' })
      setNext({ index, isEdit })
    },
    [list, listed],
  )
  // The row actions read the current list from this ref, so that they stay the same functions, and a row re-renders
  // only when its own data changes.
  const latest = useRef({ at, goTo, listed, edited, editedAt })
  // A layout effect, because otherwise Enter, just after the list has changed, would correct another row.
  useLayoutEffect(() => {
    latest.current = { at, goTo, listed, edited, editedAt }
  })
  const addCorrection = useCallback(
    (problem: ListedProblem, to: string, alike: number) => {
      const { row, value: from } = problem
      const column = columns[problem.column]
      if (column === undefined || to === from) return
      change(old =>
        alike > 1 ? correctAlike(old, column, from, to, alike) : correctCell(old, row, column, from, to),
      )
    },
    [change, columns],
  )
  /** Corrects the edited cell and closes its editor, if its value was changed. */
  const keepTyped = useCallback(() => {
    const { at, edited, editedAt } = latest.current
    const problem = editedAt === undefined ? undefined : at(editedAt)
    if (!edited || !problem || edited.typed === problem.value) return
    addCorrection(problem, edited.typed, 1)
    setEdited(undefined)
  }, [addCorrection])
  const edit = useCallback(
    (index: number) => {
      const problem = latest.current.at(index)
      if (!problem) return
      keepTyped()
      setEdited({ row: problem.row, column: problem.column, typed: problem.value, alike: 0 })
    },
    [keepTyped],
  )
  const editedProblem = editedAt === undefined ? undefined : at(editedAt)
  // Counts again after each change and each check.
  useEffect(() => {
    if (!editedProblem) return
    const { row, column, kind, value } = editedProblem
    const except = rowsNotAlike(changes, columns[column] ?? '', value)
    let isLatest = true
    engine()
      .countAlike(run, kind, value, except)
      .then(
        alike => {
          // While another check runs, the last count stays.
          if (!isLatest || alike === undefined) return
          setEdited(old => (old?.row === row && old.column === column ? { ...old, alike } : old))
        },
        () => undefined,
      )
    return () => {
      isLatest = false
    }
  }, [editedProblem, columns, changes, run, engine])
  useEffect(() => {
    if (!next) return
    const problem = at(next.index)
    if (!problem) return
    const isOpen = problem.column >= 0 && !resolutionOf(problem, columns[problem.column] ?? '')
    if (next.isEdit && !isOpen && next.index + 1 < listed) {
      setNext({ index: next.index + 1, isEdit: true })
      return
    }
    setNext(undefined)
    if (next.isEdit && isOpen) edit(next.index)
    else focusRow(scroller.current, next.index)
  }, [next, at, listed, resolutionOf, columns, edit])

  const actions = useMemo<Actions>(
    () => ({
      edit,
      type: value => setEdited(old => old && { ...old, typed: value }),
      cancel(index) {
        setEdited(undefined)
        // Focuses the cell's button, which replaces the input.
        setNext({ index, isEdit: false })
      },
      correct(index, value, alike) {
        const { at, goTo, listed } = latest.current
        const problem = at(index)
        if (!problem) return
        addCorrection(problem, value, alike)
        setEdited(undefined)
        if (index + 1 < listed) goTo(index + 1, true)
        else scroller.current?.focus()
      },
      leaveOut(index) {
        const { at, goTo, listed } = latest.current
        const problem = at(index)
        if (!problem) return
        change(old => leaveOut(old, [problem.row], problem.message))
        setEdited(old => (old?.row === problem.row ? undefined : old))
        if (index + 1 < listed) goTo(index + 1, false)
        else scroller.current?.focus()
      },
    }),
    [edit, addCorrection, change],
  )
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    // Only the window has lost the focus: the user may look a value up elsewhere.
    if (target === document.activeElement) return
    // Within the list the editor stays open. If it closed when the mouse is pressed, the rows below would move, and the
    // click would miss its target.
    if (!scroller.current?.contains(relatedTarget)) keepTyped()
  }
  const moveByArrowKeys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const row = (event.target as Element).closest('[data-index]')
    if (step === 0 || !row || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    goTo(Number(row.getAttribute('data-index')) + step, false)
  }

  return (
    <ScrollRegion ref={scroller} label={label} className="max-h-[min(32rem,60vh)] overflow-y-auto">
      <p role="status" className="sr-only">
        {stillWrong}
      </p>
      <ul
        className="relative"
        style={{ height: list.getTotalSize() }}
        onKeyDown={moveByArrowKeys}
        onBlur={onBlur}
      >
        {items.map(item => {
          const problem = at(item.index)
          const isEdited = editedAt === item.index
          const settled = problem && resolutionOf(problem, columns[problem.column] ?? '')
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
                  index={item.index}
                  problem={problem}
                  columns={columns}
                  isLeftOut={settled === 'leftOut'}
                  corrected={typeof settled === 'object' ? settled.to : undefined}
                  typed={isEdited ? edited?.typed : undefined}
                  inputMode={inputModes[mapping[problem.column]?.modelColumn ?? '']}
                  alike={isEdited ? (edited?.alike ?? 0) : 0}
                  actions={actions}
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

type Problems = ReturnType<typeof useProblems>

/** Says which corrected cell is still wrong according to the last check; of several, the last corrected one. */
function stillWrongText(changes: Change[], columns: string[], find: Problems['find'], at: Problems['at']) {
  for (const change of [...changes].reverse()) {
    const index = find(({ row, column, value }) => hasCorrected(change, row, columns[column], value))
    const problem = index === undefined ? undefined : at(index)
    if (!problem) continue
    const column = columnTitle(columns[problem.column] ?? '')
    return t`Row ${count(problem.row)}, ${column} is still wrong: ${textOf(problem.message)}`
  }
  return undefined
}

/** Focuses a row's button that corrects its cell, or if there is none, the button that leaves the row out. */
function focusRow(scroller: HTMLElement | null, index: number) {
  const row = scroller?.querySelector(`[data-index="${index}"]`)
  const target =
    row?.querySelector<HTMLElement>('[data-correct]') ?? row?.querySelector<HTMLElement>('button')
  target?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}
