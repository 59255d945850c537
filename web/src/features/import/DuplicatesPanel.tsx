import { useEffect, useState } from 'react'
import type { Repeat } from '~/import/types'
import { count, counted } from '~/lib/format'
import { Panel } from '~/ui/Panel'
import type { Shown } from './shown'
import type { Import } from './useImport'

/** As many as anybody goes through one by one. */
const MOST = 500

type Props = { work: Import; shown: Shown; open: boolean; onClose: () => void }

/** The rows that repeat an earlier one, and which. */
export function DuplicatesPanel({ work: { engine }, shown: { run, counts }, open, onClose }: Props) {
  const [repeats, setRepeats] = useState<Repeat[]>([])
  useEffect(() => {
    let live = true
    if (open) {
      engine()
        .repeats(run, 0, MOST)
        .then(
          found => live && found && setRepeats(found),
          () => undefined,
        )
    }
    return () => {
      live = false
    }
  }, [engine, open, run])
  const more = counts.duplicates - repeats.length
  return (
    <Panel open={open} title={counted(counts.duplicates, 'duplicate')} onClose={onClose}>
      <p className="border-b border-line px-5 py-3 text-muted">
        Rows with the same e-mail address as an earlier one; without an address, with the same name and phone
        number.
      </p>
      <ul aria-label="Duplicates" className="divide-y divide-line">
        {repeats.map(({ row, first }) => (
          <li key={row} className="px-5 py-2.5 tabular-nums">
            <b className="font-medium">{`Row ${count(row)}`}</b> repeats row {count(first)}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="px-5 py-3 text-muted">{`and ${count(more)} more`}</p>}
    </Panel>
  )
}
