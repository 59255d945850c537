import type { Column } from './columns'

/** The minimum width, in pixels, of a column that shares the remaining space, with and without a picture. */
const LEAST = 160
const LEAST_PICTURE = 200
const CHECKBOX = 44
/** The minimum width of the checkboxes and the buttons, if the user has changed the widths of columns. */
const LEAST_ACTIONS = 152

/** Returns the width in pixels that a CSS class such as `w-32` or `lg:w-32` sets; undefined if none does. */
function fixedWidth(className: string | undefined, tablet: boolean) {
  const pattern = tablet ? /^w-([\d.]+)$/ : /^(?:lg:)?w-([\d.]+)$/
  const units = className
    ?.split(' ')
    .flatMap(name => pattern.exec(name)?.[1] ?? [])
    .at(-1)
  return units === undefined ? undefined : Number(units) * 4
}

type Table<R> = {
  /** The visible columns, with the widths that the user has set. */
  columns: { column: Column<R>; width: number | undefined }[]
  isSelectable: boolean
  /** The CSS class of the column with the buttons. */
  actionsWidth: string
  tablet: boolean
}

/** Returns the width in pixels below which the columns of a table don't fit. */
export function leastWidth<R>({ columns, isSelectable, actionsWidth, tablet }: Table<R>): number {
  const widths = columns.map(
    ({ column: { className, picture }, width }) =>
      width ?? fixedWidth(className, tablet) ?? (picture ? LEAST_PICTURE : LEAST),
  )
  const isSized = columns.some(({ width }) => width !== undefined)
  const others = isSized
    ? LEAST_ACTIONS
    : (isSelectable ? CHECKBOX : 0) + (fixedWidth(actionsWidth, tablet) ?? 0)
  return widths.reduce((sum, width) => sum + width, others)
}
