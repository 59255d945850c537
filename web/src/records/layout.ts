import { useMemo, useState } from 'react'
import type { ListName } from '~/core/lists'
import { useSession } from '~/lib/session'
import { storedValue } from '~/lib/storedValue'

/** A column of a list, as in the API's views. */
export type ColumnLayout = { field: string; width?: number; hidden?: boolean }

/** The columns of a list in their order, and the height of its rows. Columns that are not named have their default place. */
export type Layout = { columns: ColumnLayout[]; density: string }

export const COMFORTABLE = 'comfortable'
export const COMPACT = 'compact'
export const DEFAULT_LAYOUT: Layout = { columns: [], density: COMFORTABLE }

/** Widths of columns in pixels. */
export const MIN_WIDTH = 64
const MAX_WIDTH = 1_000

type Placed = { id: string; isExtra?: boolean }

/** Returns all columns in their order, with what a layout says about them. The first column stays first and visible. */
export function placeColumns<C extends Placed>(all: readonly C[], layout: Layout) {
  const [first, ...others] = all
  const named = layout.columns.flatMap(({ field }) => others.find(({ id }) => id === field) ?? [])
  const ordered = [...(first ? [first] : []), ...named, ...others.filter(column => !named.includes(column))]
  return ordered.map(column => {
    const { width, hidden = false } = layout.columns.find(({ field }) => field === column.id) ?? {}
    const isNamed = named.includes(column)
    return {
      column,
      width,
      isVisible: column === first || (isNamed ? !hidden : !column.isExtra),
      isFixed: column === first,
    }
  })
}

export type PlacedColumn<C extends Placed = Placed> = ReturnType<typeof placeColumns<C>>[number]

/** Returns the layout's columns for these placed ones. */
export const columnsOf = (placed: readonly PlacedColumn[]): ColumnLayout[] =>
  placed.map(({ column, width, isVisible }) => ({
    field: column.id,
    ...(width !== undefined && { width: clampWidth(width) }),
    ...(!isVisible && { hidden: true }),
  }))

export const clampWidth = (width: number) => Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH))

/** Returns the names in a layout that are no columns of the list. */
export const unknownColumns = (all: readonly Placed[], layout: Layout) =>
  layout.columns.map(({ field }) => field).filter(field => !all.some(({ id }) => id === field))

/** Returns the widths of the columns that `list` shows as a table. */
export function measureColumns(list: HTMLElement | null): Map<string, number> {
  const heads = [...(list?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])]
  return new Map(heads.map(head => [head.dataset.column ?? '', head.getBoundingClientRect().width]))
}

/** Returns placed columns of which each visible one has its current width, so that a change of one does not move the others. */
export const fixWidths = <P extends PlacedColumn>(placed: readonly P[], widths: Map<string, number>): P[] =>
  placed.map(item => ({ ...item, width: item.width ?? widths.get(item.column.id) }))

/**
 * Returns the layout that this device stores for a view of the user, and its setter. Undefined if none is stored: the saved
 * layout applies.
 */
export function useLayout(list: ListName, view: string) {
  const { profile } = useSession()
  const key = `columns ${profile.id} ${list} ${view}`
  const [changes, setChanges] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is stored.
  const layout = useMemo(() => storedValue<Layout>('localStorage', key).read(), [key, changes])
  const setLayout = (changed: Layout | undefined) => {
    const stored = storedValue<Layout>('localStorage', key)
    if (changed) stored.save(changed)
    else stored.forget()
    setChanges(count => count + 1)
  }
  return { layout, setLayout }
}
