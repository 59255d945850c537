import { plural, t } from '@lingui/core/macro'
import { Undo2 } from 'lucide-react'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { Panel } from '~/ui/Panel'
import { describeChange, summaryOf } from './changes'
import type { Import } from './useImport'

const MAX_LISTED = 200

type Props = { work: Import; open: boolean; onClose: () => void }

/**
 * The side panel with the user's changes of the file's rows, latest first. Each can be undone; the rows that were left out
 * in one step are one change.
 */
export function CorrectionsPanel({ work: { changes, change }, open, onClose }: Props) {
  const listed = changes.map((each, index) => ({ ...describeChange(each), index })).reverse()
  return (
    <Panel open={open} title={summaryOf(changes) || t`Corrections`} onClose={onClose}>
      {changes.length === 0 ? (
        <p className="p-5 text-muted">{t`No corrections. Rows are imported as they are in the file.`}</p>
      ) : (
        <>
          <ul aria-label={t`Corrections`} className="divide-y divide-line">
            {listed.slice(0, MAX_LISTED).map(({ where, what, index }) => (
              <li key={index} className="flex items-start gap-2 py-3 pr-3 pl-5">
                <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                  <p className="font-medium">{where}</p>
                  <p className="text-muted">{what}</p>
                </div>
                <IconButton
                  label={t`Undo: ${where}`}
                  tip={t`Undo`}
                  icon={<Undo2 aria-hidden className="size-4" />}
                  onClick={() => change(old => old.filter((_, at) => at !== index))}
                />
              </li>
            ))}
          </ul>
          {listed.length > MAX_LISTED && (
            <p className="px-5 py-3 text-muted">
              {plural(listed.length - MAX_LISTED, { one: 'and # earlier one', other: 'and # earlier ones' })}
            </p>
          )}
          <div className="border-t border-line p-5">
            <Button kind="danger" onClick={() => change(() => [])}>
              {t`Undo all`}
            </Button>
          </div>
        </>
      )}
    </Panel>
  )
}
