import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { core, type HistoryEntry, type HistoryList } from '~/core'
import { exactMoment, moment, timeOfDay } from '~/lib/format'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { CardFailed, CardLoading } from '~/records/CardState'
import { EntryObject } from '~/records/history/EntryObject'
import { sentenceOf } from '~/records/history/entrySentences'
import { useRecordPaths } from '~/records/history/useRecordPaths'
import { Avatar } from '~/ui/Avatar'
import { Sentence } from '~/ui/Sentence'
import { DashboardCard } from './DashboardCard'

/** Number of entries that are shown. */
const SHOWN = 8
/** Number of entries that are requested. Some of them are sign-ins, which are not shown. */
const REQUESTED = 100

/**
 * The latest changes of the corporation since yesterday, without sign-ins. The sentences don't name fields, because the
 * names of all fields would have to be loaded first.
 */
export function NewsCard() {
  const request = useMemo(() => {
    const params = new URLSearchParams({ from: startOfYesterday(), limit: String(REQUESTED) })
    return (signal: AbortSignal) =>
      core.sendJson('GET', `/api/history?${params}`, undefined, signal) as Promise<HistoryList>
  }, [])
  const { outcome, retry } = useRequest(request)
  return (
    <DashboardCard title={t`Since yesterday`} all={{ name: t`History`, to: paths.history }}>
      {!outcome && <CardLoading lines={6} />}
      {outcome?.ok === false && (
        <CardFailed error={outcome.error} failed={t`Failed to load the history`} onRetry={retry} />
      )}
      {outcome?.ok && <Entries entries={outcome.value.data} />}
    </DashboardCard>
  )
}

function startOfYesterday() {
  const day = new Date()
  day.setDate(day.getDate() - 1)
  day.setHours(0, 0, 0, 0)
  return day.toISOString()
}

function Entries({ entries }: { entries: HistoryEntry[] }) {
  const pathOf = useRecordPaths()
  const shown = entries
    .filter(({ action }) => action !== 'signed_in' && action !== 'signed_out')
    .slice(0, SHOWN)
  if (shown.length === 0) {
    return (
      <p className="py-6 text-center text-muted">
        {entries.length < REQUESTED
          ? t`Nothing has changed since yesterday.`
          : t`The latest entries are only sign-ins and sign-outs. Open the history for earlier changes.`}
      </p>
    )
  }
  return (
    <ul className="divide-y divide-line">
      {shown.map(entry => (
        <li key={entry.history_id} className="flex gap-3 py-2">
          <Avatar name={entry.actor.name} />
          <p className="min-w-0 flex-1 self-center [overflow-wrap:anywhere]">
            <Sentence text={(actor, object) => sentenceOf(entry, undefined, actor, object)}>
              <strong className="font-medium">{entry.actor.name}</strong>
              <EntryObject entry={entry} pathOf={pathOf} />
            </Sentence>
          </p>
          <time
            dateTime={entry.at}
            title={exactMoment(entry.at)}
            className="shrink-0 self-center text-xs text-muted tabular-nums"
          >
            {isToday(entry.at) ? timeOfDay(entry.at) : moment(entry.at)}
          </time>
        </li>
      ))}
    </ul>
  )
}

const isToday = (time: string) => new Date(time).toDateString() === new Date().toDateString()
