import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { LiveChange, Numbering } from '~/core'
import { problemOf } from '~/core/problem'
import { buttonClass } from '~/ui/Button'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { LiveBar } from './live/LiveBar'
import type { Records } from './useRecords'

export type SectionProps<R> = {
  records: Records<R>
  /** Accessible name of the list. */
  label: string
  pageSize: number
  /** Number of rows while loading; a full page by default. */
  skeletonRows?: number
  /** What the rows are, for example "contacts". */
  noun: string
  numbering?: Numbering
  /** Title of the state after a failed request. */
  loadFailed: string
  /** Title of the state after a 403 response. */
  forbidden: string
  /** Shown if the list has no records. */
  empty: ReactNode
  /** Returns whether a change may concern the list, which is then offered to be loaded again. */
  live?: (change: LiveChange) => boolean
  /** Search box and filters. */
  children?: ReactNode
}

type Props<R> = SectionProps<R> & {
  /** Number of columns while loading. */
  skeletonColumns?: number
  /** Shown while loading, if the rows are not those of a table. */
  skeleton?: ReactNode
  /** False if the rows are not those of one page. */
  hasPages?: boolean
  /** Offered if the server rejected the query. */
  rejected?: ReactNode
  /** Renders the rows. `stale` while new ones are loading. */
  rows: (rows: R[], stale: boolean) => ReactNode
}

/** The section of a page that contains a list: search, rows and pages, or the state shown instead of the rows. */
export function ListSection<R>({
  records,
  live,
  label,
  pageSize,
  skeletonRows = pageSize,
  skeletonColumns = 1,
  skeleton = <SkeletonRows rows={skeletonRows} columns={skeletonColumns} />,
  rejected,
  hasPages = true,
  noun,
  numbering = 'three',
  loadFailed,
  forbidden,
  empty,
  rows,
  children,
}: Props<R>) {
  const { section, loaded, query, addressOf } = records
  const { outcome, stale } = loaded
  const list = outcome?.ok ? outcome.value : undefined
  const content = (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={label}
      className="card overflow-hidden focus:outline-none"
    >
      {children}
      {!outcome && skeleton}
      {outcome?.ok === false && (
        <LoadFailed
          error={outcome.error}
          title={loadFailed}
          forbidden={forbidden}
          action={
            isRejected(outcome.error) &&
            (rejected ??
              ((query.sort || query.filter) && (
                <Link to={addressOf(1, { sort: '', filter: '' })} className={buttonClass()}>
                  {t`Show without sort and filter`}
                </Link>
              )))
          }
        />
      )}
      {list?.totalItems === 0 && empty}
      {list && list.totalItems > 0 && (
        <>
          {list.data.length > 0 || !hasPages ? (
            rows(list.data, stale)
          ) : (
            <EmptyPage totalPages={list.totalPages} first={addressOf(1)} />
          )}
          {hasPages && (
            <ListFooter
              page={list.currentPage ?? query.page}
              pageSize={pageSize}
              totalPages={list.totalPages}
              total={list.totalItems}
              noun={noun}
              numbering={numbering}
              to={addressOf}
            />
          )}
        </>
      )}
    </section>
  )
  if (!live) return content
  return (
    <div>
      <LiveBar concerns={live} records={records} />
      {content}
    </div>
  )
}

/** Returns whether the server rejected the query, so that sending it again can't help. */
const isRejected = (error: unknown) => problemOf(error)?.status === 400
