import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { count } from '~/lib/format'
import { ShowOlder } from '~/ui/ShowOlder'
import { CardFailed } from '../CardState'
import { fieldName } from '../filter/conditions'
import { useFields } from '../useFields'
import type { FieldInfo } from './Changes'
import { firstValues, groupByDay, isNew } from './entries'
import { HistoryItem } from './HistoryItem'
import { type HistoryResource, useHistory } from './useHistory'

type Props = {
  resource: HistoryResource
  id: string
  record: { version: number }
  /** The names of fields that lists don't offer: secrets and links to other records. */
  labels?: Record<string, string>
  /** Returns the path of the record whose id a link field has; undefined if the user can't open it. */
  pathOf?: FieldInfo['pathOf']
}

/** The card with the changes of a record, newest first. */
export function HistoryCard({ resource, id, record, labels, pathOf = () => undefined }: Props) {
  const history = useHistory(resource, id, record)
  const { fields, isFailed, retry: retryFields } = useFields(resource)
  const { loaded, error, isLoadingOlder, olderError } = history
  const list = useRef<HTMLDivElement>(null)
  const entries = loaded?.entries ?? []
  const hasOlder = loaded !== undefined && loaded.total > entries.length
  const failed = error !== undefined || isFailed
  return (
    <section aria-labelledby="history" className="card p-5">
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
        {!failed && !(loaded && fields) && <Loading />}
        {loaded && fields && (
          <div ref={list} className="grid gap-4">
            {entries.length === 0 && !failed && <p className="text-muted">{t`No changes recorded yet`}</p>}
            {groupByDay(entries).map(({ name, entries: ofDay }) => (
              <div key={name}>
                <h3 className="text-xs font-medium text-muted">{name}</h3>
                <ul className="mt-1">
                  {ofDay.map(entry => (
                    <HistoryItem
                      key={entry.history_id}
                      resource={resource}
                      entry={entry}
                      changes={
                        isNew(entry)
                          ? firstValues(loaded.record, entries.slice(0, entries.indexOf(entry)), fields.all)
                          : entry.changes
                      }
                      fields={{
                        find: fields.find,
                        labelOf: field => labels?.[field] ?? fieldName(fields.find(field), field),
                        pathOf,
                      }}
                    />
                  ))}
                </ul>
              </div>
            ))}
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

/** As high as a day with two changes. */
function Loading() {
  return (
    <div role="status">
      <span className="sr-only">{t`Loading`}</span>
      <div aria-hidden className="grid gap-4">
        <div className="skeleton h-3 w-16" />
        {['w-56', 'w-48'].map(width => (
          <div key={width} className="flex gap-3">
            <div className="skeleton size-8 shrink-0 rounded-full" />
            <div className="min-w-0 flex-1">
              <div className="flex h-8 items-center">
                <div className={`skeleton h-3.5 max-w-full ${width}`} />
              </div>
              <div className="skeleton mt-1 h-16 rounded-lg" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
