import type { Listed } from '~/import/types'
import type { Change } from './changes'

/** What was done about a problem since the list was made: the text that the cell holds now, or that its row is left out. */
export type Settled = { to: string } | 'leftOut' | undefined

/** Tells of each listed problem what was done about it, however many corrections there are. */
export function settling(changes: Change[]): (problem: Listed, fileColumn: string) => Settled {
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
    // What it was corrected to is what is wrong.
    return to === undefined || to === value ? undefined : { to }
  }
}
