import { plural, t } from '@lingui/core/macro'
import type { TrashEntry } from '~/core'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { actorName } from '~/records/history/actorName'
import { Time } from '~/records/Time'
import { cx } from '~/ui/cx'
import { daysLeft, remainingPart } from './daysLeft'
import { kindOf, nameOf } from './kinds'

/** With at most this many days left before a record is purged, the number is shown as a warning. */
const SOON = 7
const VERY_SOON = 3

export const columns: Column<TrashEntry>[] = [
  { id: 'label', header: t`What`, cell: entry => <What entry={entry} /> },
  {
    id: 'deleted_by',
    header: t`Deleted by`,
    width: '28%',
    cell: ({ deleted_by, deleted_at }) => (
      <span className="block min-w-0 leading-4.5">
        {text(actorName(deleted_by), 'block truncate')}{' '}
        <Time at={deleted_at} className="block truncate text-xs text-muted tabular-nums" />
      </span>
    ),
  },
  {
    id: 'purge_at',
    header: t`Time left`,
    width: 136,
    cell: entry => <TimeLeft entry={entry} />,
  },
]

function What({ entry }: { entry: TrashEntry }) {
  const { icon: Icon, one } = kindOf(entry.resource)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-subtle text-muted">
        <Icon aria-hidden className="size-4" />
      </span>
      <span className="block min-w-0 leading-4.5">
        {text(nameOf(entry), 'block truncate font-medium')}
        <span className="block truncate text-xs font-normal text-muted">{one}</span>
      </span>
    </span>
  )
}

function TimeLeft({ entry: { deleted_at, purge_at, is_kept } }: { entry: TrashEntry }) {
  if (is_kept) {
    return (
      <span className="block min-w-0 leading-4.5">
        {t`Kept`} <span className="block truncate text-xs text-muted">{t`In an agreement`}</span>
      </span>
    )
  }
  const days = daysLeft(purge_at)
  const isVerySoon = days <= VERY_SOON
  return (
    <Time
      at={purge_at}
      className={cx(
        'inline-flex items-baseline gap-2 tabular-nums',
        isVerySoon ? 'font-medium text-danger' : days <= SOON && 'text-warning',
      )}
    >
      <Ring part={remainingPart(deleted_at, purge_at)} isQuiet={days > SOON} />
      {days === 0 ? t`last day` : plural(days, { one: '# day', other: '# days' })}
    </Time>
  )
}

/** A ring that shows how much of a record's time in the trash is left: `part`, from 0 to 1. */
function Ring({ part, isQuiet }: { part: number; isQuiet: boolean }) {
  const circle = { cx: 8, cy: 8, r: 6, fill: 'none', stroke: 'currentColor', strokeWidth: 3 }
  return (
    <svg
      aria-hidden
      viewBox="0 0 16 16"
      className={cx('size-4 shrink-0 -rotate-90 self-center', isQuiet && 'text-edge')}
    >
      <circle {...circle} className="text-line" />
      <circle {...circle} pathLength={100} strokeDasharray={`${part * 100} 100`} />
    </svg>
  )
}
