import type { Column } from './columns'

/**
 * Returns the CSS width of a column by the one that it has in pixels at the usual text size. With a larger text it is
 * wider in proportion.
 */
export const cssWidth = (width: Column<never>['width']) =>
  typeof width === 'number' ? `${width / 16}rem` : width

/**
 * The minimum width, in pixels at the usual text size, of a column that shares the remaining space, with and without a
 * picture. Longer texts are cut. In a window of 1024 px, the default columns of every list fit.
 */
const LEAST = 140
const LEAST_PICTURE = 180
const CHECKBOX = 44
/** The minimum width of the checkboxes and the buttons, if the user has changed the widths of columns. */
const LEAST_ACTIONS = 152

type Table<R> = {
  /** The visible columns, with the widths that the user has set. */
  columns: { column: Column<R>; width: number | undefined }[]
  isSelectable: boolean
  /** The CSS width of the column with the buttons. Without it, there is no such column. */
  actionsWidth: string | undefined
}

/** Returns the CSS width below which the columns of a table don't fit. */
export function leastWidth<R>({ columns, isSelectable, actionsWidth }: Table<R>): string {
  const sumOf = (widths: number[]) => widths.reduce((sum, width) => sum + width, 0)
  const set = columns.flatMap(({ width }) => width ?? [])
  const others = columns.flatMap(({ column: { width, picture }, width: own }) =>
    own !== undefined ? [] : typeof width === 'number' ? width : picture ? LEAST_PICTURE : LEAST,
  )
  const isSized = set.length > 0
  const last = isSized && actionsWidth ? LEAST_ACTIONS : isSelectable ? CHECKBOX : 0
  const buttons = isSized ? undefined : actionsWidth
  return `calc(${sumOf(set)}px + ${cssWidth(sumOf(others) + last)} + ${buttons ?? '0px'})`
}
