import type { RowSelectionState } from '@tanstack/react-table'
import type { ReactNode } from 'react'

/** A column of a list. */
export type Column<R> = {
  /** The name of the field in the API. */
  id: string
  header: string
  /** Classes of the header, such as its width. Columns without a width share the remaining one. */
  className?: string
  /** The fields that the column is sorted by; the column's id by default, and none if it can't be sorted. */
  sort?: readonly string[]
  /** The value that the column shows rises as its field falls. */
  isReversed?: boolean
  /** Hidden until the user shows it. */
  isExtra?: boolean
  cell: (record: R) => ReactNode
}

/** The detail panel of an expanded row. */
export type Expand<R> = {
  /** Id of the expanded row. */
  id: string | undefined
  onToggle: (id: string) => void
  detail: (record: R) => ReactNode
}

/** The selection of rows. */
export type Selecting<R> = {
  selected: RowSelectionState
  /** All records of the list are selected. */
  isAll: boolean
  /** On a phone: cards have checkboxes. */
  isActive: boolean
  onSelect: (selected: RowSelectionState) => void
  nameOf: (record: R) => string
}
