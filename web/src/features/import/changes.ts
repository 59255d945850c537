import { plural, t } from '@lingui/core/macro'
import type { Corrections, Duplicates, FileHead, Message } from '~/core'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { columnTitle } from './fields'
import { rows } from './figures'

/**
 * A change of the file's rows that the user can undo: a corrected cell, all equal cells of a column, or rows left out.
 */
export type Change = (
  | { kind: 'cell'; row: number; fileColumn: string; from: string; to: string }
  | { kind: 'alike'; fileColumn: string; from: string; to: string; count: number }
  | {
      kind: 'leaveOut'
      rows: number[]
      /** The reason. A text only in drafts that an older version of the page has stored. */
      why: Message | string
    }
) & {
  /** The sheet of the workbook. */
  sheet?: string
}

const isSameText = (a: string, b: string) => a.trim() === b.trim()

/** Returns whether a change corrected a cell of this row and column to this text. */
export const hasCorrected = (change: Change, row: number, fileColumn: string | undefined, text: string) =>
  change.kind !== 'leaveOut' &&
  change.fileColumn === fileColumn &&
  (change.kind === 'alike' || change.row === row) &&
  isSameText(change.to, text)

/** Returns the changes with the correction of one cell, which replaces an earlier correction of this cell. */
export function correctCell(
  changes: Change[],
  row: number,
  fileColumn: string,
  from: string,
  to: string,
): Change[] {
  const isSameCell = (change: Change) =>
    change.kind === 'cell' && change.row === row && change.fileColumn === fileColumn
  const first = changes.find(isSameCell)
  const original = first?.kind === 'cell' ? first.from : from
  const others = changes.filter(change => !isSameCell(change))
  return [...others, { kind: 'cell', row, fileColumn, from: original, to }]
}

/**
 * Returns the changes with a correction of all cells of a column that have the text `from`, also by an earlier
 * correction.
 */
export function correctAlike(
  changes: Change[],
  fileColumn: string,
  from: string,
  to: string,
  count: number,
): Change[] {
  const moved = changes.map(change =>
    change.kind !== 'leaveOut' && change.fileColumn === fileColumn && isSameText(change.to, from)
      ? { ...change, to }
      : change,
  )
  const others = moved.filter(
    change => !(change.kind === 'alike' && change.fileColumn === fileColumn && isSameText(change.from, from)),
  )
  return [...others, { kind: 'alike', fileColumn, from, to, count }]
}

/**
 * Returns the rows in which `correctAlike` changes nothing, even if their cell had the text `from` at the last
 * check: those that have another correction since, and those that are left out.
 */
export const rowsNotAlike = (changes: Change[], fileColumn: string, from: string): number[] =>
  changes.flatMap(change => {
    if (change.kind === 'leaveOut') return change.rows
    const isOther = change.kind === 'cell' && change.fileColumn === fileColumn && !isSameText(change.to, from)
    return isOther ? [change.row] : []
  })

/** Returns the changes with rows to leave out, except those that are left out already. */
export function leaveOut(changes: Change[], rows: number[], why: Message): Change[] {
  const out = new Set(leftOut(changes))
  const fresh = rows.filter(row => !out.has(row))
  return fresh.length > 0 ? [...changes, { kind: 'leaveOut', rows: fresh, why }] : changes
}

const leftOut = (changes: Change[]) =>
  changes.flatMap(change => (change.kind === 'leaveOut' ? change.rows : []))

/** Returns a summary such as "1 correction, 2 rows left out". */
export function summaryOf(changes: Change[]): string {
  const out = leftOut(changes).length
  const corrections = changes.filter(({ kind }) => kind !== 'leaveOut').length
  return [
    corrections > 0 && plural(corrections, { one: '# correction', other: '# corrections' }),
    out > 0 && plural(out, { one: '# row left out', other: '# rows left out' }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Converts the changes to the corrections that the engine and the server take. */
export function toCorrections(changes: Change[], duplicates: Duplicates): Corrections {
  return {
    cells: changes.flatMap(change =>
      change.kind === 'cell' ? [{ row: change.row, fileColumn: change.fileColumn, value: change.to }] : [],
    ),
    replacements: changes.flatMap(change =>
      change.kind === 'alike' ? [{ fileColumn: change.fileColumn, from: change.from, to: change.to }] : [],
    ),
    leftOut: leftOut(changes),
    duplicates,
  }
}

type Reading = Pick<FileHead, 'sheet' | 'fileColumns'>

const appliesTo =
  ({ sheet, fileColumns }: Reading) =>
  (change: Change) =>
    change.sheet === sheet && (change.kind === 'leaveOut' || fileColumns.includes(change.fileColumn))

/** Returns the changes of the sheet and of the columns that the file is read with. */
export const changesFor = (changes: Change[], reading: Reading) => changes.filter(appliesTo(reading))

/**
 * Returns the changes in which `next` has replaced those that `changesFor` returns; `changes` itself if `next` returns
 * its argument, so that nothing is checked again.
 */
export function replaceChanges(
  changes: Change[],
  reading: Reading,
  next: (old: Change[]) => Change[],
): Change[] {
  const applies = appliesTo(reading)
  const old = changes.filter(applies)
  const replaced = next(old)
  if (replaced === old) return changes
  const others = changes.filter(change => !applies(change))
  return [...others, ...replaced.map(change => ({ ...change, sheet: reading.sheet }))]
}

const quoted = (text: string) => (text.trim() ? t`“${text}”` : t`empty`)

/** Describes a change in words: where it is, such as "Row 7, Email", and what it does. */
export function describeChange(change: Change): { where: string; what: string } {
  switch (change.kind) {
    case 'cell':
      return {
        where: t`Row ${count(change.row)}, ${columnTitle(change.fileColumn)}`,
        what: t`${quoted(change.from)} is now ${quoted(change.to)}`,
      }
    case 'alike': {
      const { from, to } = change
      const fileColumn = columnTitle(change.fileColumn)
      const where = plural(change.count, {
        one: `# cell in ${fileColumn}`,
        other: `# cells in ${fileColumn}`,
      })
      return { where, what: t`${quoted(from)} is now ${quoted(to)}` }
    }
    case 'leaveOut': {
      const [row = 0] = change.rows
      const { why } = change
      const reason = typeof why === 'string' ? why : textOf(why)
      const where = change.rows.length === 1 ? t`Row ${count(row)}` : rows(change.rows.length)
      return { where, what: t`Left out: ${reason}` }
    }
  }
}
