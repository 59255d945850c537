import type { RowSelectionState } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { useSmallDesktop } from '~/ui/usePhone'

/** A column of a list. */
export type Column<R> = {
  /** The column's id: the name of its field in the API. */
  id: string
  header: string
  /**
   * In pixels at the usual text size (`cssWidth`), or as a share of the table's width. Columns without a width share the
   * remaining space.
   */
  width?: number | `${number}%`
  /** The values are numbers, which are aligned right. */
  isNumber?: boolean
  /** The fields by which the column sorts the list; by default its id. Empty if it isn't sortable. */
  sort?: readonly string[]
  /** Whether the value that the column shows falls while its field rises, as the days since a date do. */
  isReversed?: boolean
  /** The column is hidden by default, until the user shows it. */
  isExtra?: boolean
  /** In windows of 1024 to 1279 px, which have no space for all columns, it is hidden by default, too. */
  isOnlyWide?: boolean
  /** Whether the column is `isOnlyWide` and the window is too narrow for it. Set by `useFittingColumns`. */
  hasNoSpace?: boolean
  cell: (record: R) => ReactNode
  /** An image before the cell, such as an avatar. */
  picture?: (record: R) => ReactNode
  /**
   * The URL by which a phone calls or mails the person, if there is one. Unless `whenNarrow` gives it a place, the cell
   * is then left out in narrow windows, but not in print, which has no buttons.
   */
  reach?: (record: R) => string | undefined
  /** The cell in narrow windows, which have no headers. */
  narrowCell?: (record: R) => ReactNode
  /**
   * In narrow windows, the cell is the first or last one of the row's second line, at the right end of its first line,
   * or left out on phones or always. On phones, `last` has a line of its own.
   */
  whenNarrow?: 'first' | 'last' | 'end' | 'notOnPhone' | 'never'
  /**
   * In narrow windows, the id of the column whose cell also shows this one's value. While that column is visible, this
   * cell is left out there.
   */
  shownInColumn?: string
}

/** Returns the columns of a list. Those that don't fit the window are hidden until the user shows them. */
export function useFittingColumns<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  const isSmall = useSmallDesktop()
  return useMemo(
    () =>
      isSmall
        ? columns.map(column => (column.isOnlyWide ? { ...column, hasNoSpace: true } : column))
        : columns,
    [isSmall, columns],
  )
}

/** The detail panel of an expanded row. */
export type Expand<R> = {
  /** Id of the expanded row. */
  id: string | undefined
  onToggle: (id: string) => void
  /** Returns a record's name, which is part of the name of its row's button. */
  nameOf: (record: R) => string
  detail: (record: R) => ReactNode
}

/** The selection of rows, for `RecordTable`. */
export type Selecting<R> = {
  selected: RowSelectionState
  /** All records that the list finds are selected, on all pages. */
  isAll: boolean
  /** In narrow windows, whether the rows show checkboxes. */
  isActive: boolean
  /** In narrow windows, rows with checkboxes also show their buttons. */
  keepsActions?: boolean
  onSelect: (selected: RowSelectionState) => void
  nameOf: (record: R) => string
}
