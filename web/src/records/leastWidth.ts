import type { Column } from './columns'

/**
 * The minimum width, in pixels, of a column that shares the remaining space, with and without a picture. Longer
 * texts are cut. In a window of 1024 px, the default columns of every list fit.
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
  const widths = columns.map(({ column, width = column.width }) =>
    typeof width === 'number' ? width : column.picture ? LEAST_PICTURE : LEAST,
  )
  const sum = widths.reduce((sum, width) => sum + width, 0)
  const isSized = columns.some(({ width }) => width !== undefined)
  const checkbox = isSelectable ? CHECKBOX : 0
  if (!actionsWidth) return `${sum + checkbox}px`
  return isSized ? `${sum + LEAST_ACTIONS}px` : `calc(${sum + checkbox}px + ${actionsWidth})`
}
