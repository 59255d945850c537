import type { RowSelectionState } from '@tanstack/react-table'
import { useState } from 'react'

/** The selected records of a list: those with these ids, or all that the list finds. */
export type Selection = { ids: RowSelectionState; isAll: boolean }

const NONE: Selection = { ids: {}, isAll: false }

/**
 * Returns the selection and what changes it. Another search or filter (`scope`) finds other records, so it empties the
 * selection.
 */
export function useSelection(scope: string) {
  const [state, setState] = useState({ scope, selection: NONE, isSelecting: false })
  const current = state.scope === scope ? state : { scope, selection: NONE, isSelecting: false }
  if (current !== state) setState(current)
  const { selection, isSelecting } = current
  const ids = Object.keys(selection.ids).filter(id => selection.ids[id])
  return {
    selection,
    ids,
    isEmpty: !selection.isAll && ids.length === 0,
    /** On a phone: cards can be selected. */
    isSelecting,
    select: (ids: RowSelectionState) =>
      setState({ scope, selection: { ids, isAll: false }, isSelecting: true }),
    selectAll: () => setState({ scope, selection: { ids: {}, isAll: true }, isSelecting: true }),
    startSelecting: () => setState({ ...current, isSelecting: true }),
    clear: () => setState({ scope, selection: NONE, isSelecting: false }),
  }
}

export type SelectionState = ReturnType<typeof useSelection>
