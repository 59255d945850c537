import { t } from '@lingui/core/macro'
import { core, type HistoryEntry, type ListPage } from '~/core'
import { useIsConnected } from '~/lib/connection'
import { moment, timeOfDay } from '~/lib/format'
import { useLastLoaded } from '~/lib/lastLoaded'
import { settle } from '~/lib/load'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { isToday, startOfDay } from '~/lib/today'
import { CardFailed, CardLoading } from '~/records/CardState'
import { actorName } from '~/records/history/actorName'
import { EntryObject } from '~/records/history/EntryObject'
import { isSignIn } from '~/records/history/entries'
import { sentenceOf } from '~/records/history/entrySentences'
import { useRecordPaths } from '~/records/history/useRecordPaths'
import { Time } from '~/records/Time'
import { Avatar } from '~/ui/Avatar'
import { Sentence } from '~/ui/Sentence'
import { DashboardCard } from './DashboardCard'
import { useUpdates } from './useUpdates'

/** Number of entries that are shown. */
const SHOWN = 8
/** Sign-ins fill pages of the history without being shown, so up to this many pages are requested. */
const MAX_PAGES = 5

type News = {
  entries: HistoryEntry[]
  /** All entries of the period were loaded. */
  isComplete: boolean
}

/** Returns the latest entries since yesterday that are not sign-ins. */
async function loadNews(signal?: AbortSignal): Promise<News> {
  const from = startOfDay(new Date(), -1)
  // By id, because entries that are added meanwhile move others to the next page.
  const found = new Map<string, HistoryEntry>()
  for (let page = 1; ; page++) {
    const params = new URLSearchParams({ from, page: String(page) })
    const path = `/api/history?${params}`
    const list = (await core.sendJson('GET', path, undefined, signal)) as ListPage<HistoryEntry>
    for (const entry of list.data) if (!isSignIn(entry)) found.set(entry.history_id, entry)
    const isComplete = page >= list.totalPages
    if (isComplete || found.size >= SHOWN || page === MAX_PAGES)
      return { entries: [...found.values()].slice(0, SHOWN), isComplete }
  }
}

const reloadNews = () => settle(loadNews())

/**
 * The latest changes of the corporation since yesterday, without sign-ins. The sentences don't name fields, because the
 * names of all fields would have to be loaded first.
 */
export function NewsCard() {
  const { outcome: requested, retry } = useRequest(loadNews)
  const loaded = useUpdates(requested, reloadNews)
  const isOffline = !useIsConnected()
  const { outcome } = useLastLoaded(
    { outcome: loaded?.ok === false ? { ...loaded, isOffline } : loaded, stale: false },
    'news',
  )
  return (
    <DashboardCard title={t`Since yesterday`} all={{ name: t`History`, to: paths.history }}>
      {!outcome && <CardLoading lines={6} />}
      {outcome?.ok === false && (
        <CardFailed error={outcome.error} failed={t`Failed to load the history`} onRetry={retry} />
      )}
      {outcome?.ok && <Entries {...outcome.value} />}
    </DashboardCard>
  )
}

function Entries({ entries, isComplete }: News) {
  const pathOf = useRecordPaths()
  if (entries.length === 0) {
    return (
      <p className="py-6 text-center text-muted">
        {isComplete
          ? t`Nothing has changed since yesterday.`
          : t`The latest entries are only sign-ins and sign-outs. Open the history for earlier changes.`}
      </p>
    )
  }
  return (
    <ul className="divide-y divide-line">
      {entries.map(entry => (
        // A link covers its row.
        <li
          key={entry.history_id}
          className="relative flex flex-wrap gap-x-3 py-2 has-[a]:hover:bg-subtle [&_a]:after:absolute [&_a]:after:inset-0"
        >
          <Avatar name={actorName(entry.actor)} />
          <p className="min-w-0 flex-[1_1_7rem] self-center [overflow-wrap:anywhere]">
            <Sentence text={(actor, object) => sentenceOf(entry, undefined, actor, object)}>
              <strong className="font-medium">{actorName(entry.actor)}</strong>
              <EntryObject entry={entry} pathOf={pathOf} />
            </Sentence>
          </p>
          <Time
            at={entry.at}
            // With a mouse above the link, for its tooltip.
            className="shrink-0 self-center text-xs text-muted tabular-nums pointer-fine:relative"
          >
            {isToday(entry.at) ? timeOfDay(entry.at) : moment(entry.at)}
          </Time>
        </li>
      ))}
    </ul>
  )
}
