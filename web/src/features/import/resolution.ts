import type { ListedProblem } from '~/core/import'
import type { Change } from './changes'

/** How the user resolved a problem after the check: by the cell's new value, or by leaving the row out. */
export type Resolution = { to: string } | 'leftOut' | undefined

/**
 * Returns a function that looks up how a problem, or a cell without one, was resolved, in constant time; undefined if it
 * wasn't.
 */
export function resolutionLookup(
  changes: Change[],
): (cell: Pick<ListedProblem, 'row' | 'value'>, fileColumn: string) => Resolution {
  const cells = new Map<string, string>()
  const alike = new Map<string, string>()
  const out = new Set<number>()
  for (const change of changes) {
    if (change.kind === 'cell') cells.set(`${change.row} ${change.fileColumn}`, change.to)
    else if (change.kind === 'alike') alike.set(`${change.fileColumn}\n${change.from.trim()}`, change.to)
    else for (const row of change.rows) out.add(row)
  }
  return ({ row, value }, fileColumn) => {
    if (out.has(row)) return 'leftOut'
    const to = cells.get(`${row} ${fileColumn}`) ?? alike.get(`${fileColumn}\n${value.trim()}`)
    // If the cell has the corrected value already, the check was made after the correction, so the problem isn't
    // resolved.
    return to === undefined || to === value ? undefined : { to }
  }
}
