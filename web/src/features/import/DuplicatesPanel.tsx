import { plural, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { Duplicate } from '~/core/import'
import { count } from '~/lib/format'
import { Panel } from '~/ui/Panel'
import { Sentence } from '~/ui/Sentence'
import type { Import } from './useImport'
import type { VisibleResult } from './visibleResult'

type Props = { work: Import; shown: VisibleResult; open: boolean; onClose: () => void }

/** The side panel with the file's first duplicates: the contact of each, and the row that it repeats. */
export function DuplicatesPanel({ work: { engine }, shown: { run, counts }, open, onClose }: Props) {
  const [duplicates, setDuplicates] = useState<Duplicate[]>([])
  useEffect(() => {
    let isMounted = true
    if (open) {
      engine()
        .duplicates(run)
        .then(
          found => isMounted && found && setDuplicates(found),
          () => undefined,
        )
    }
    return () => {
      isMounted = false
    }
  }, [engine, open, run])
  const more = counts.duplicates - duplicates.length
  return (
    <Panel
      open={open}
      title={plural(counts.duplicates, { one: '# duplicate', other: '# duplicates' })}
      onClose={onClose}
    >
      <p className="border-b border-line px-5 py-3 text-muted">
        {t`Rows with the same email as an earlier row, or with the same name and phone number if they have no email.`}
      </p>
      <ul aria-label={t`Duplicates`} className="divide-y divide-line">
        {duplicates.map(({ row, first, name, emailOrPhone }) => (
          <li key={row} className="px-5 py-2.5 tabular-nums [overflow-wrap:anywhere]">
            <p>
              <Sentence text={repeat => t`${repeat} repeats row ${count(first)}`}>
                <b className="font-medium">{t`Row ${count(row)}`}</b>
              </Sentence>
            </p>
            <p className="text-muted">{[name, emailOrPhone].filter(Boolean).join(' · ')}</p>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="px-5 py-3 text-muted">{t`and ${count(more)} more`}</p>}
    </Panel>
  )
}
