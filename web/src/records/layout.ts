import { useMemo, useState } from 'react'
import type { ListName } from '~/core/lists'
import { useSession } from '~/lib/session'
import { storedValue } from '~/lib/storedValue'

/** A column of a list, as in the API's views. */
type ColumnLayout = { field: string; width?: number; hidden?: boolean }

/** The columns of a list in their order, and the height of its rows. Columns that it doesn't name follow these. */
export type Layout = { columns: ColumnLayout[]; density: string }

export const COMFORTABLE = 'comfortable'
export const COMPACT = 'compact'
export const DEFAULT_LAYOUT: Layout = { columns: [], density: COMFORTABLE }

/** Smallest and largest width of a column, in pixels. */
export const MIN_WIDTH = 64
const MAX_WIDTH = 1_000

type Placed = { id: string; isExtra?: boolean; isOnlyWide?: boolean; hasNoSpace?: boolean }

/**
 * Returns all columns in the order of a layout, each with its width and visibility. The first column is always first.
 */
export function placeColumns<C extends Placed>(all: readonly C[], layout: Layout) {
  const [first, ...others] = all
  const named = layout.columns.flatMap(({ field }) => others.find(({ id }) => id === field) ?? [])
  const unnamed = others.filter(column => !named.includes(column))
  const ordered = [...(first ? [first] : []), ...named, ...unnamed.filter(column => !column.isOnlyWide)]
  // In their default place, because a layout from a narrow window doesn't name them (`columnsOf`).
  for (const column of unnamed.filter(column => column.isOnlyWide)) {
    const before = all[all.indexOf(column) - 1]
    ordered.splice(before ? ordered.indexOf(before) + 1 : 1, 0, column)
  }
  return ordered.map(column => {
    const { width, hidden = false } = layout.columns.find(({ field }) => field === column.id) ?? {}
    const isNamed = named.includes(column)
    return {
      column,
      width,
      isVisible: column === first || (isNamed ? !hidden : !column.isExtra && !column.hasNoSpace),
      isNamed,
      isFixed: column === first,
    }
  })
}

export type PlacedColumn<C extends Placed = Placed> = ReturnType<typeof placeColumns<C>>[number]

/**
 * Returns placed columns in the form in which a layout stores them. Those that are hidden only because they don't fit
 * the window are left out, so that a wider window shows them.
 */
export const columnsOf = (placed: readonly PlacedColumn[]): ColumnLayout[] =>
  placed
    .filter(({ column, isVisible, isNamed }) => isVisible || isNamed || !column.hasNoSpace)
    .map(({ column, width, isVisible }) => ({
      field: column.id,
      ...(width !== undefined && { width: clampWidth(width) }),
      ...(!isVisible && { hidden: true }),
    }))

export const clampWidth = (width: number) => Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH))

/** Returns the fields that a layout names although the list has no column for them. */
export const unknownColumns = (all: readonly Placed[], layout: Layout) =>
  layout.columns.map(({ field }) => field).filter(field => !all.some(({ id }) => id === field))

/** Returns the current widths in pixels of the columns that the table in `list` shows, by column id. */
export function measureColumns(list: HTMLElement | null): Map<string, number> {
  const heads = [...(list?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])]
  return new Map(heads.map(head => [head.dataset.column ?? '', head.getBoundingClientRect().width]))
}

/**
 * Gives each column without a width its current one (`widths`), so that resizing one column doesn't change the others.
 */
export const fixWidths = <P extends PlacedColumn>(placed: readonly P[], widths: Map<string, number>): P[] =>
  placed.map(item => ({ ...item, width: item.width ?? widths.get(item.column.id) }))

/**
 * Returns the user's layout of a view that this device stores, and its setter. The layout is undefined if none is
 * stored; then the layout that the view has saved applies.
 */
export function useLayout(list: ListName, view: string) {
  const { profile } = useSession()
  const key = `columns ${profile.id} ${list} ${view}`
  const [changes, setChanges] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change writes the stored layout, so it is read again.
  const layout = useMemo(() => storedValue<Layout>('localStorage', key).read(), [key, changes])
  const setLayout = (changed: Layout | undefined) => {
    const stored = storedValue<Layout>('localStorage', key)
    if (changed) stored.save(changed)
    else stored.forget()
    setChanges(count => count + 1)
  }
  return { layout, setLayout }
}
