import { type RefObject, useCallback, useEffect, useRef } from 'react'

// The rows of tables and lists, without the detail panel of an expanded row and what is nested in a row.
const ROWS = 'table[aria-busy] > tbody > tr:has(> [data-opener]), ul[aria-busy] > li'

const rowsIn = (list: Element) => [...list.querySelectorAll(ROWS)]
// From the end, where the row's actions are, because rows differ in what is before them.
const buttonsIn = (row: Element | undefined) => [...(row?.querySelectorAll('button') ?? [])].reverse()

/**
 * Remembers which button of which row of a list had the focus last. Returns `forgetRow` and `focusRow`. The
 * latter focuses the same button of the row that is there now, or else of the last row. If the list is empty,
 * it focuses the list.
 */
export function useRowPlace(list: RefObject<HTMLElement | null>) {
  const place = useRef<{ row: number; button: number }>(undefined)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const { current } = list
      if (!current?.contains(target as Element)) return
      const rows = rowsIn(current)
      const row = rows.findIndex(row => row.contains(target as Element))
      const button = buttonsIn(rows[row]).indexOf(target as HTMLButtonElement)
      place.current = row < 0 ? undefined : { row, button }
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [list])
  const focusRow = useCallback(() => {
    const { current: at } = place
    const rows = at && list.current ? rowsIn(list.current) : []
    const buttons = at ? buttonsIn(rows[at.row] ?? rows.at(-1)) : []
    const next = (at && buttons[at.button]) ?? buttons[0] ?? list.current
    next?.focus({ preventScroll: true })
  }, [list])
  const forgetRow = useCallback(() => {
    place.current = undefined
  }, [])
  return { focusRow, forgetRow }
}
