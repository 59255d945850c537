import { t } from '@lingui/core/macro'
import { History } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Link, useLoaderData } from 'react-router'
import type { HistoryEntry } from '~/core'
import { paths } from '~/lib/paths'
import { useCanRead, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { CardFailed } from '~/records/CardState'
import { FilterChips } from '~/records/FilterChips'
import { describeAll } from '~/records/history/describeAll'
import { HistoryDays } from '~/records/history/HistoryDays'
import { HistoryLoading } from '~/records/history/HistoryLoading'
import { useRecordPaths } from '~/records/history/useRecordPaths'
import { ListSection } from '~/records/ListSection'
import { NothingFound } from '~/records/RecordList'
import { useLists } from '~/records/useFields'
import { useRecords } from '~/records/useRecords'
import { buttonClass } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { useSettling } from '~/ui/useSettling'
import { Entry } from './Entry'
import { Filters } from './Filters'
import { historyAddress, type historyLoader, isFiltered, PAGE_SIZE } from './query'

/** Number of entries of the placeholder: enough to fill a window. */
const PLACEHOLDER_ENTRIES = 9

/** The page with the history of the corporation: who changed what, and when. */
export function HistoryPage() {
  useTitle(t`History`)
  const history = useRecords({
    route: paths.history,
    ...useLoaderData<Awaited<ReturnType<typeof historyLoader>>>(),
    address: historyAddress,
  })
  const { query, section } = history
  return (
    <Page title={t`History`} subtitle={t`Who changed what, and when.`}>
      <ListSection
        records={history}
        live={() => true}
        label={t`Entries`}
        noun={t`entries`}
        singularNoun={t`entry`}
        pageSize={PAGE_SIZE}
        skeleton={
          <div className="p-3 md:p-4">
            <HistoryLoading entries={PLACEHOLDER_ENTRIES} />
          </div>
        }
        loadFailed={t`Failed to load the history`}
        forbidden={t`You don't have access to these entries`}
        rejected={
          <Link to={paths.history} className={buttonClass()}>
            {t`Show everything`}
          </Link>
        }
        empty={
          isFiltered(query) ? (
            <NothingFound title={t`Nothing found`} clear={t`Show everything`} to={paths.history}>
              {t`No entry matches the filters.`}
            </NothingFound>
          ) : (
            <State icon={<History className="size-6" />} title={t`Nothing recorded yet`}>
              {t`Changes appear here when they are made.`}
            </State>
          )
        }
        rows={(entries, stale) => <Entries entries={entries} stale={stale} batch={query.batch} />}
      >
        <Filters query={query} />
        <FilterChips
          filters={
            query.batch
              ? [{ text: t`One bulk action`, to: historyAddress({ ...query, page: 1, batch: '' }) }]
              : []
          }
          onRemoved={() => section.current?.focus()}
        />
      </ListSection>
    </Page>
  )
}

type EntriesProps = { entries: HistoryEntry[]; stale: boolean; batch: string }

function Entries({ entries, stale, batch }: EntriesProps) {
  const { resources } = useSession()
  const { rules, isFailed, retry } = useLists()
  const mayReadCustomers = useCanRead('customers', paths.customers)
  const describe = useMemo(
    () => rules && describeAll(rules, resources, mayReadCustomers),
    [rules, resources, mayReadCustomers],
  )
  const pathOf = useRecordPaths()
  const list = useRef<HTMLDivElement>(null)
  const shownBatch = useRef(batch)
  // The link that shows the entries of a bulk action had the focus, and is not among them.
  useEffect(() => {
    if (stale || shownBatch.current === batch) return
    shownBatch.current = batch
    if (batch && document.activeElement === document.body) list.current?.querySelector('li')?.focus()
  }, [stale, batch])
  return (
    <div
      ref={list}
      aria-busy={stale}
      data-settling={useSettling(!describe && !isFailed)}
      className={cx('grid gap-4 p-3 transition-opacity duration-150 md:p-4', stale && 'opacity-50')}
    >
      {isFailed && <CardFailed failed={t`Failed to load the history`} onRetry={retry} />}
      {!isFailed && !describe && <HistoryLoading entries={PLACEHOLDER_ENTRIES} />}
      {describe && (
        <HistoryDays entries={entries} heading="h2">
          {entry => (
            <Entry key={entry.history_id} entry={entry} describe={describe(entry.resource)} pathOf={pathOf} />
          )}
        </HistoryDays>
      )}
    </div>
  )
}
