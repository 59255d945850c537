import type { RowSelectionState } from '@tanstack/react-table'
import { useKeptState } from '~/lib/keptState'

/** The selected records of a list: those with these ids or, if `isAll`, all that the list finds. */
export type Selection = { ids: RowSelectionState; isAll: boolean }

const NONE: Selection = { ids: {}, isAll: false }

/**
 * Returns the selected records of a list, and functions that change the selection. `scope` identifies the list's search
 * and filter; when it changes, the selection is cleared. Back and Forward restore it.
 */
export function useSelection(scope: string) {
  const [state, setState] = useKeptState('selection', { scope, selection: NONE, isSelecting: false })
  const current = state.scope === scope ? state : { scope, selection: NONE, isSelecting: false }
  if (current !== state) setState(current)
  const { selection, isSelecting } = current
  const ids = Object.keys(selection.ids).filter(id => selection.ids[id])
  return {
    selection,
    ids,
    isEmpty: !selection.isAll && ids.length === 0,
    /** In narrow windows, whether the rows show checkboxes. */
    isSelecting,
    select: (ids: RowSelectionState) =>
      setState({ scope, selection: { ids, isAll: false }, isSelecting: true }),
    /** Deselects these records. Others that were selected since this render stay selected. */
    deselect: (ids: readonly string[]) =>
      setState(now => {
        const kept = Object.entries(now.selection.ids).filter(([id]) => !ids.includes(id))
        if (kept.length === Object.keys(now.selection.ids).length) return now
        const isSelecting = kept.some(([, isSelected]) => isSelected)
        return { ...now, selection: { ids: Object.fromEntries(kept), isAll: false }, isSelecting }
      }),
    selectAll: () => setState({ scope, selection: { ids: {}, isAll: true }, isSelecting: true }),
    startSelecting: () => setState({ ...current, isSelecting: true }),
    clear: () => setState({ scope, selection: NONE, isSelecting: false }),
  }
}

export type SelectionState = ReturnType<typeof useSelection>
