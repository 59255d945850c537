import { CircleCheck, Copy, TriangleAlert } from 'lucide-react'
import { count, counted } from '~/lib/format'
import { cx } from '~/ui/cx'
import { Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import type { Check } from './useCheck'

/** How far the check of the whole file is, and what it has come to. */
export function CheckBar({ check }: { check: Check }) {
  if (check.state === 'none') return null
  if (check.state === 'failed') return <Notice kind="error">{check.message}</Notice>
  if (check.state === 'running') {
    return (
      <div className="card p-4">
        <ProgressBar
          label="Checking the file"
          value={null}
          max={1}
          text={`${counted(check.checked, 'row')} checked`}
        />
      </div>
    )
  }
  const { total, ready, failed, duplicates } = check.verdict
  const figures = [
    {
      icon: CircleCheck,
      name: 'Ready',
      value: ready,
      look: 'text-success',
      note: `of ${counted(total, 'row')}`,
    },
    {
      icon: TriangleAlert,
      name: 'With problems',
      value: failed,
      look: failed > 0 ? 'text-danger' : 'text-muted',
      note: failed > 0 ? 'left out' : 'nothing to correct',
    },
    {
      icon: Copy,
      name: 'Duplicates',
      value: duplicates,
      look: duplicates > 0 ? 'text-warning' : 'text-muted',
      note: duplicates > 0 ? 'repeat an earlier row, imported all the same' : 'every row is somebody else',
    },
  ]
  return (
    <dl className="card grid divide-line max-sm:divide-y sm:grid-cols-3 sm:divide-x">
      {figures.map(({ icon: Icon, name, value, look, note }) => (
        <div key={name} className="px-4 py-3">
          <dt className="flex items-center gap-2 text-muted">
            <Icon aria-hidden className={cx('size-4', look)} />
            {name}
          </dt>
          <dd className="mt-0.5">
            <span className="text-xl font-semibold tabular-nums">{count(value)}</span>{' '}
            <span className="text-xs text-muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
