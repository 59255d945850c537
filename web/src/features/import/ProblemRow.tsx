import { plural, t } from '@lingui/core/macro'
import { ListX, PencilLine, Undo2 } from 'lucide-react'
import { type KeyboardEvent, memo, useId, useLayoutEffect, useRef } from 'react'
import type { ListedProblem } from '~/core/import'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { IconButton } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { columnTitle } from './fields'

/** The actions on a problem, which is identified by its index in the list. */
export type Actions = {
  edit: (index: number) => void
  /** Called with the text of the open editor whenever the user changes it. */
  type: (value: string) => void
  /** `alike` is the number of cells with the same value that are corrected; 1 for this cell only. */
  correct: (index: number, value: string, alike: number) => void
  cancel: (index: number) => void
  leaveOut: (index: number) => void
}

type Props = {
  index: number
  problem: ListedProblem
  columns: string[]
  isLeftOut: boolean
  /** The cell's new value if the user corrected it after the check; otherwise undefined. */
  corrected: string | undefined
  /** The new value as typed so far if the cell is being edited; otherwise undefined. */
  typed: string | undefined
  /** The on-screen keyboard for the cell's value. */
  inputMode: 'email' | 'tel' | 'url' | undefined
  alike: number
  actions: Actions
}

/** The row's other cells, by which the user recognizes the contact. */
function Context({ problem, columns }: Pick<Props, 'problem' | 'columns'>) {
  const others = problem.cells.filter(({ column }) => column !== problem.column)
  if (others.length === 0) return null
  const nameOf = (column: number) => {
    const name = columns[column]
    return name === undefined ? t`Column ${column + 1}` : columnTitle(name)
  }
  const named = others.map(({ column, text }) => ({ name: nameOf(column), text }))
  return (
    <p
      className="col-span-full truncate text-xs text-muted"
      title={named.map(({ name, text }) => `${name}: ${text}`).join('\n')}
    >
      {named.slice(0, 8).map(({ name, text }) => (
        <span key={name} className="mr-2">
          <span>{name}: </span>
          {/* With a space, so that a screen reader separates it from the next one. */}
          <span className="text-ink">{text.length > 80 ? `${text.slice(0, 80)}…` : text}</span>{' '}
        </span>
      ))}
    </p>
  )
}

/** A problem with its row and its actions. Memoized, because the list re-renders often. */
export const ProblemRow = memo(function ProblemRow(props: Props) {
  const { index, problem, columns, isLeftOut, corrected, typed, actions } = props
  const messageId = useId()
  const isSettled = isLeftOut || corrected !== undefined
  const fileColumn = columns[problem.column]
  const column = fileColumn === undefined ? undefined : columnTitle(fileColumn)
  const isEmpty = !problem.value.trim()
  return (
    <div
      className={cx(
        'grid items-center gap-x-4 gap-y-1.5 px-4 py-2.5 max-md:grid-cols-[1fr_auto] md:grid-cols-[6rem_minmax(5rem,9rem)_minmax(12rem,1.2fr)_minmax(8rem,1fr)_auto]',
        isSettled && 'opacity-60',
      )}
    >
      <span className="font-medium whitespace-nowrap tabular-nums">{t`Row ${count(problem.row)}`}</span>
      <span className="truncate text-muted max-md:order-2 max-md:col-span-full" title={column}>
        {column ?? t`Whole row`}
      </span>
      <div className="min-w-0 max-md:order-3 max-md:col-span-full">
        {typed !== undefined && column !== undefined ? (
          <Editor {...props} column={column} typed={typed} messageId={messageId} />
        ) : isSettled ? (
          <p className="truncate">
            {isLeftOut ? (
              t({ message: 'Left out', context: 'row' })
            ) : (
              <b className="font-medium">{corrected || t`empty`}</b>
            )}
          </p>
        ) : column === undefined ? (
          <p className="truncate text-muted" title={problem.value}>
            {problem.value}
          </p>
        ) : (
          <button
            type="button"
            data-correct
            aria-label={
              isEmpty
                ? t`Correct the empty cell in row ${problem.row}, ${column}`
                : t`Correct “${problem.value}” in row ${problem.row}, ${column}`
            }
            aria-describedby={messageId}
            title={problem.value}
            onClick={() => actions.edit(index)}
            className="group flex h-9 w-full min-w-0 items-center gap-2 rounded-lg border border-line px-2.5 text-left transition-colors hover:border-ink max-md:h-touch touch:h-touch"
          >
            <span className={cx('truncate', isEmpty && 'text-muted')}>
              {isEmpty ? t`empty` : problem.value}
            </span>
            <PencilLine aria-hidden className="ml-auto size-3.5 shrink-0 text-muted group-hover:text-ink" />
          </button>
        )}
      </div>
      <span
        id={messageId}
        className={cx('max-md:order-4 max-md:col-span-full', isSettled ? 'text-muted' : 'text-danger')}
      >
        {!isSettled ? textOf(problem.message) : !isLeftOut && t`Corrected, not checked yet`}
      </span>
      {/* A tooltip of the browser (`title`), because a tooltip component in each of many rows would be slow. */}
      <button
        type="button"
        aria-label={t`Leave out row ${problem.row}`}
        title={t`Leave this row out`}
        aria-disabled={isLeftOut || undefined}
        onClick={() => !isLeftOut && actions.leaveOut(index)}
        className={cx(iconButtonClass, 'max-md:order-1 max-md:-my-2 md:-my-1')}
      >
        <ListX aria-hidden className="size-4" />
      </button>
      <div className="contents max-md:*:order-5">
        <Context problem={problem} columns={columns} />
      </div>
    </div>
  )
})

type EditorProps = Props & { column: string; typed: string; messageId: string }

/** The input for a corrected value. Enter saves it and edits the next problem, Escape cancels. */
function Editor(props: EditorProps) {
  const { index, problem, column, typed, messageId, inputMode, alike, actions } = props
  const input = useRef<HTMLInputElement>(null)
  // A layout effect, so that the input has the focus before the next key press.
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [])
  const isChanged = typed !== problem.value
  const correct = (many: number) => actions.correct(index, typed, many)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') actions.cancel(index)
    else if (event.key !== 'Enter') return
    else if (event.ctrlKey || event.metaKey) correct(alike)
    else correct(1)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="grid gap-1.5">
      <div className="flex gap-1">
        <input
          ref={input}
          value={typed}
          spellCheck={false}
          autoCapitalize={inputMode && 'off'}
          autoComplete="off"
          inputMode={inputMode}
          enterKeyHint="next"
          aria-label={t`New value for row ${problem.row}, ${column}`}
          aria-invalid={!isChanged || undefined}
          aria-describedby={`${messageId} problem-keys`}
          onChange={event => actions.type(event.target.value)}
          onKeyDown={onKeyDown}
          className="box h-9 max-md:h-touch"
        />
        <IconButton
          label={t`Keep the original value`}
          icon={<Undo2 aria-hidden className="size-4" />}
          onClick={() => actions.cancel(index)}
        />
      </div>
      <div className="flex flex-wrap gap-1.5">
        <Button
          kind="primary"
          className="h-8! px-3! max-md:h-touch! touch:h-touch!"
          ariaDisabled={!isChanged}
          onClick={() => correct(1)}
        >
          {t`Correct`}
        </Button>
        {alike > 1 && (
          <Button
            className="h-auto! min-h-8 max-w-full px-3! py-1 whitespace-normal! max-md:min-h-touch touch:min-h-touch"
            ariaDisabled={!isChanged}
            onClick={() => correct(alike)}
          >
            {plural(alike, { one: 'Correct # matching cell', other: 'Correct all # matching cells' })}
          </Button>
        )}
      </div>
    </div>
  )
}
