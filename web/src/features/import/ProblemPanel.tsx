import { plural, t } from '@lingui/core/macro'
import { ListX } from 'lucide-react'
import { useState } from 'react'
import type { Message } from '~/core'
import type { Kind } from '~/core/import'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { ToggleButton } from '~/ui/ToggleButton'
import { leaveOut } from './changes'
import { columnTitle } from './fields'
import { ProblemList } from './ProblemList'
import type { Import } from './useImport'
import type { OpenFile } from './useReader'
import type { VisibleResult } from './visibleResult'

type Props = { work: Import; opened: OpenFile; shown: VisibleResult }

const ALL_KINDS = -1

export function ProblemPanel({ work, opened, shown }: Props) {
  const [wanted, setWanted] = useState<{ column: number; message: Message }>()
  const { counts, kinds, run, isOld } = shown
  const columns = opened.head.fileColumns
  // The selected kind, found by column and message, because each check numbers the kinds again. Undefined shows all
  // kinds.
  const kind = kinds.top.find(
    ({ column, message }) => column === wanted?.column && message.text === wanted.message.text,
  )
  const listed = kind ? kind.listed : counts.listed
  const known = kind ? kind.count : counts.problems
  return (
    <section aria-labelledby="problems-title" className="card overflow-hidden" id="problems">
      <div className="grid gap-3 border-b border-line p-4">
        <h3 id="problems-title" tabIndex={-1} className="scroll-mt-4 text-base font-semibold outline-none">
          {t`${plural(counts.problems, { one: '# problem', other: '# problems' })} in ${plural(counts.failed, { one: '# row', other: '# rows' })}`}
        </h3>
        <fieldset className="flex min-w-0 flex-wrap gap-1.5">
          <legend className="sr-only">{t`Types of problems`}</legend>
          <Chip isOn={!kind} count={counts.problems} onClick={() => setWanted(undefined)}>
            {t`All`}
          </Chip>
          {kinds.top.map(each => {
            const column = columns[each.column]
            return (
              <Chip
                key={`${each.column} ${each.message.text}`}
                isOn={each === kind}
                count={each.count}
                onClick={() => setWanted(each)}
              >
                {column && <b className="font-medium">{columnTitle(column)}: </b>}
                {textOf(each.message)}
              </Chip>
            )
          })}
          {kinds.more > 0 && (
            <span className="self-center px-1 text-xs text-muted">
              {plural(kinds.more, { one: 'and # more type', other: 'and # more types' })}
            </span>
          )}
        </fieldset>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-xs text-muted">
            <span id="problem-keys" className="max-md:sr-only touch:sr-only">
              {t`Enter saves and moves to the next problem. Ctrl+Enter corrects all matching cells. Escape cancels.`}
            </span>
            {listed < known && ` ${t`Showing the first ${count(listed)}.`}`}
          </p>
          {kind && <LeaveOutAll key={kind.message.text} work={work} run={run} kind={kind} />}
        </div>
      </div>
      <div className={cx('transition-opacity', isOld && 'opacity-60')} aria-busy={isOld}>
        <ProblemList
          key={kind ? `${kind.column} ${kind.message.text}` : ''}
          work={work}
          columns={columns}
          which={{ run, kind: kind?.place ?? ALL_KINDS, listed }}
          label={t`Problems`}
        />
      </div>
    </section>
  )
}

type ChipProps = { isOn: boolean; count: number; onClick: () => void; children: React.ReactNode }

function Chip({ isOn, count: many, onClick, children }: ChipProps) {
  return (
    <ToggleButton
      isOn={isOn}
      onClick={onClick}
      className={cx(
        'inline-flex min-h-8 max-w-full items-center gap-2 rounded-full border px-3 py-1 text-left text-xs transition-colors max-md:min-h-touch touch:min-h-touch',
        isOn ? 'border-accent-text bg-soft text-accent-text' : 'border-line hover:bg-subtle',
      )}
    >
      <span className="truncate">{children}</span>
      <span className={cx('tabular-nums', !isOn && 'text-muted')}>{count(many)}</span>
    </ToggleButton>
  )
}

function LeaveOutAll({ work, run, kind }: { work: Import; run: number; kind: Kind }) {
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    try {
      const rows = await work.engine().rowsOf(run, kind.place)
      if (rows) work.change(old => leaveOut(old, rows, kind.message))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      className="h-9! px-3! max-md:h-touch! touch:h-touch!"
      busy={busy}
      onClick={() => void begin().catch(() => undefined)}
    >
      <ListX aria-hidden className="size-4" />
      {plural(kind.listed, { one: 'Leave out # row', other: 'Leave out # rows' })}
    </Button>
  )
}
