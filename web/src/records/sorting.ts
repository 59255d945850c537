import { t } from '@lingui/core/macro'
import type { SortingState } from '@tanstack/react-table'

/** What the sort order needs to know of a column. */
type SortColumn = {
  id: string
  /** The fields by which the column sorts the list; by default its id. Empty if it isn't sortable. */
  sort?: readonly string[]
  /** The value that the column shows rises as its field falls. */
  isReversed?: boolean
}

const fieldsOf = ({ id, sort }: SortColumn) => sort ?? [id]

export const isSortable = (column: SortColumn) => fieldsOf(column).length > 0

/**
 * Parses a `sort` parameter into sorted columns. For a field that no column sorts by, the entry's id is the field's
 * name.
 */
export function readSorting(sort: string, columns: readonly SortColumn[]): SortingState {
  const parts = sort
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  const sorting: SortingState = []
  while (parts.length > 0) {
    const desc = parts[0]?.startsWith('-') ?? false
    const column = columns.find(column => {
      const fields = fieldsOf(column)
      return fields.length > 0 && fields.every((field, at) => parts[at] === (desc ? `-${field}` : field))
    })
    const used = parts.splice(0, column ? fieldsOf(column).length : 1)
    sorting.push({
      id: column?.id ?? used[0]?.slice(desc ? 1 : 0) ?? '',
      desc: desc !== (column?.isReversed ?? false),
    })
  }
  return sorting
}

/** Returns the `sort` parameter for these sorted columns; empty for none. */
export const writeSorting = (sorting: SortingState, columns: readonly SortColumn[]): string =>
  sorting
    .flatMap(({ id, desc }) => {
      const column = columns.find(column => column.id === id) ?? { id }
      return fieldsOf(column).map(field => (desc !== (column.isReversed ?? false) ? `-${field}` : field))
    })
    .join(',')

/** Returns the sort order in words; undefined for the default order. */
export function sortingText(sorting: SortingState, columns: readonly { id: string; header: string }[]) {
  const order = sorting
    .map(({ id, desc }) => {
      const column = columns.find(column => column.id === id)?.header ?? id
      return desc ? t`${column}, descending` : t`${column}, ascending`
    })
    .join('; ')
  return order ? t`Sorted by ${order}` : undefined
}
