import { t } from '@lingui/core/macro'
import { type ComponentProps, type ReactNode, useMemo, useRef } from 'react'
import type { Records } from '~/core'
import { count } from '~/lib/format'
import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'
import { ShowOlder } from '~/ui/ShowOlder'
import { CardFailed } from '../CardState'
import type { Words } from '../kind'
import { useFields } from '../useFields'
import { actorName } from './actorName'
import { describeFields } from './describe'
import { UndoEntryButton, UndoEntryPanel } from './EntryUndo'
import { firstValues, isNew, isUpdated } from './entries'
import { HistoryDays } from './HistoryDays'
import { HistoryItem } from './HistoryItem'
import { HistoryLoading } from './HistoryLoading'
import { PastRecordButton } from './PastRecord'
import { sentenceOf } from './sentences'
import { useEntryUndo } from './useEntryUndo'
import { useHistory } from './useHistory'

type Props<R> = {
  kind: { resource: keyof Records; words: Words; idOf: (record: R) => string }
  record: R
}

/** The card with the history entries of a record, newest first. */
export function HistoryCard<R extends { version: number }>({ kind, record }: Props<R>) {
  const { resource } = kind
  const id = kind.idOf(record)
  const history = useHistory(resource, id, record)
  const { fields, isFailed, retry: retryFields } = useFields(resource)
  const mayReadCustomers = useCanRead('customers', paths.customers)
  const describe = useMemo(
    () => fields && describeFields(fields, mayReadCustomers),
    [fields, mayReadCustomers],
  )
  const { loaded, error, isLoadingOlder, olderError } = history
  const list = useRef<HTMLDivElement>(null)
  const entries = loaded?.entries ?? []
  const hasOlder = loaded !== undefined && loaded.total > entries.length
  const failed = error !== undefined || isFailed
  return (
    <section aria-labelledby="history" className="card p-5 print:hidden">
      <h2 id="history" className="text-sm font-semibold">
        {t`History`}{' '}
        {loaded && loaded.total > 0 && (
          <span className="ml-2 font-normal text-muted tabular-nums">{count(loaded.total)}</span>
        )}
      </h2>
      <div className="mt-4">
        {failed && (
          <CardFailed
            error={error}
            failed={t`Failed to load the history`}
            onRetry={() => {
              if (error !== undefined) history.retry()
              if (isFailed) retryFields()
            }}
          />
        )}
        {!failed && !(loaded && fields) && <HistoryLoading />}
        {loaded && fields && describe && (
          <div ref={list} className="grid gap-4">
            {entries.length === 0 && !failed && <p className="text-muted">{t`No changes recorded yet`}</p>}
            <HistoryDays entries={entries} heading="h3">
              {entry => {
                const changes = isNew(entry)
                  ? firstValues(loaded.record, entries.slice(0, entries.indexOf(entry)), fields.all)
                  : entry.changes
                return (
                  <Entry
                    key={entry.history_id}
                    entry={entry}
                    id={id}
                    isNewest={entry === entries[0]}
                    sentence={actor => sentenceOf(kind.words, entry, changes, describe, actor)}
                    changes={changes}
                    describe={describe}
                  />
                )
              }}
            </HistoryDays>
          </div>
        )}
      </div>
      {fields && (
        <ShowOlder
          list={list}
          items="li"
          shown={entries.length}
          hasOlder={hasOlder}
          isLoading={isLoadingOlder}
          error={olderError}
          onLoad={history.loadOlder}
          className="mt-4"
        >
          {t`Show older changes`}
        </ShowOlder>
      )}
    </section>
  )
}

type EntryProps = ComponentProps<typeof HistoryItem> & { id: string; isNewest: boolean }

/**
 * An entry, with buttons to undo it and to show the record as it was after it. Only an entry that changed an existing
 * record can be undone here. The newest entry has no button to show the record, because that is the current one.
 */
function Entry({ id, isNewest, ...props }: EntryProps) {
  const { entry, describe, sentence } = props
  const hasValues = isNew(entry) || isUpdated(entry) || entry.action === 'restored'
  const past = hasValues && !isNewest && (
    <PastRecordButton
      entry={entry}
      id={id}
      sentence={sentence(actorName(entry.actor), '')}
      describe={describe}
    />
  )
  return isUpdated(entry) ? <UpdateEntry {...props} past={past} /> : <HistoryItem {...props} action={past} />
}

/** An entry that can be undone here. No other entry follows the progress of its undo. */
function UpdateEntry({ past, ...props }: ComponentProps<typeof HistoryItem> & { past: ReactNode }) {
  const { entry, describe } = props
  const undo = useEntryUndo(entry)
  return (
    <HistoryItem
      {...props}
      action={
        <>
          {past}
          <UndoEntryButton undo={undo} entry={entry} />
        </>
      }
    >
      <UndoEntryPanel undo={undo} entry={entry} describe={describe} heading="h4" />
    </HistoryItem>
  )
}
