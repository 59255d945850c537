import { t } from '@lingui/core/macro'
import type { RowData } from '@tanstack/react-table'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Numbering } from '~/core'
import { buttonClass } from '~/ui/Button'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { RecordTable, type TableProps } from './RecordTable'
import type { Records } from './useRecords'

type Props<R> = Omit<TableProps<R>, 'rows' | 'stale'> & {
  records: Records<R>
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
  /** Search box and filters. */
  children: ReactNode
}

/** The section of a page that contains a list: search, table and pages, or the state shown instead of the table. */
export function RecordList<R extends RowData>({
  records: { section, loaded, query, addressOf },
  pageSize,
  skeletonRows = pageSize,
  noun,
  numbering = 'three',
  loadFailed,
  forbidden,
  empty,
  children,
  ...table
}: Props<R>) {
  const { outcome, stale } = loaded
  const list = outcome?.ok ? outcome.value : undefined
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={table.label}
      className="card overflow-hidden focus:outline-none"
    >
      {children}
      {!outcome && <SkeletonRows rows={skeletonRows} columns={table.columns.length + 1} />}
      {outcome?.ok === false && <LoadFailed error={outcome.error} title={loadFailed} forbidden={forbidden} />}
      {list?.totalItems === 0 && empty}
      {list && list.totalItems > 0 && (
        <>
          {list.data.length > 0 ? (
            <RecordTable {...table} rows={list.data} stale={stale} />
          ) : (
            <EmptyPage totalPages={list.totalPages} first={addressOf(1)} />
          )}
          <ListFooter
            page={list.currentPage ?? query.page}
            pageSize={pageSize}
            totalPages={list.totalPages}
            total={list.totalItems}
            noun={noun}
            numbering={numbering}
            to={addressOf}
          />
        </>
      )}
    </section>
  )
}

type NothingFoundProps = {
  title: string
  /** Label of the link to the whole list. */
  clear?: string
  to: string
  children: ReactNode
}

/** Shown if no record matches. */
export function NothingFound({ title, clear = t`Clear search`, to, children }: NothingFoundProps) {
  return (
    <State
      icon={<SearchX className="size-6" />}
      title={title}
      action={
        <Link to={to} className={buttonClass()}>
          {clear}
        </Link>
      }
    >
      {children}
    </State>
  )
}
