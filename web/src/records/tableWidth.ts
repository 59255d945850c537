import type { Column } from './columns'

/**
 * Converts a column's width in pixels at the usual text size to CSS. With a larger text size, the column is wider in
 * proportion.
 */
export const cssWidth = (width: Column<never>['width']) =>
  typeof width === 'number' ? `${width / 16}rem` : width

/**
 * The minimum width, in pixels at the usual text size, of a column that shares the remaining space, with and without a
 * picture. Longer texts are cut. In a window of 1024 px, the default columns of every list fit.
 */
const MIN_COLUMN = 140
const MIN_PICTURE = 180
const CHECKBOX = 44
/** The minimum width of the checkboxes and the buttons, if the user has changed the widths of columns. */
const MIN_ACTIONS = 152

type Table<R> = {
  /** The visible columns, with the widths that the user has set. */
  columns: { column: Column<R>; width: number | undefined }[]
  isSelectable: boolean
  /** The CSS width of the column with the buttons. Without it, there is no such column. */
  actionsWidth: string | undefined
}

/** Returns the minimum width of a table in CSS. In less space, its columns don't fit. */
export function minTableWidth<R>({ columns, isSelectable, actionsWidth }: Table<R>): string {
  const sumOf = (widths: number[]) => widths.reduce((sum, width) => sum + width, 0)
  const userWidths = columns.flatMap(({ width }) => width ?? [])
  // The columns that share the remaining space get equal parts of it, so the largest minimum applies to each.
  const minShare = columns.some(({ column, width }) => column.picture && width === undefined)
    ? MIN_PICTURE
    : MIN_COLUMN
  const defaultWidths = columns.flatMap(({ column: { width }, width: userWidth }) =>
    userWidth !== undefined ? [] : typeof width === 'number' ? width : minShare,
  )
  const hasUserWidths = userWidths.length > 0
  const controls = hasUserWidths && actionsWidth ? MIN_ACTIONS : isSelectable ? CHECKBOX : 0
  const buttons = hasUserWidths ? undefined : actionsWidth
  return `calc(${sumOf(userWidths)}px + ${cssWidth(sumOf(defaultWidths) + controls)} + ${buttons ?? '0px'})`
}
