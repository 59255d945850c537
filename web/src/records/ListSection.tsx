import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { LiveChange, Numbering } from '~/core'
import { messagesOf, problemOf } from '~/core/problem'
import { buttonClass } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { SkeletonRows } from '~/ui/Skeleton'
import { LoadFailed } from './LoadFailed'
import { LiveBar } from './live/LiveBar'
import type { Records } from './useRecords'

export type SectionProps<R> = {
  records: Records<R>
  /** Accessible name of the list. */
  label: string
  pageSize: number
  /** Number of rows of the placeholder that is shown while loading; those of a full page by default. */
  skeletonRows?: number
  /** The plural noun for the rows, for example "contacts". */
  noun: string
  /** Replaces the noun in the footer. */
  footerNoun?: string
  /** The noun in the footer of a list with one row; by default the plural one. */
  singularNoun?: string
  numbering?: Numbering
  /** Title of the message that is shown if the list failed to load. */
  loadFailed: string
  /** Title of the message that is shown if the user lacks permission (403). */
  forbidden: string
  /** Shown if the list has no records. */
  empty: ReactNode
  /** Returns whether a change may concern the list. If so, a button offers to load the list again. */
  live?: (change: LiveChange) => boolean
  /** Search box and filters. */
  children?: ReactNode
}

type Props<R> = SectionProps<R> & {
  /** The placeholder that is shown while loading, if the list isn't one of two-line rows. */
  skeleton?: ReactNode
  /** The sort order in words, for screen readers. */
  order?: string
  /** False if the list shows all records instead of one page, so that there is no page navigation. */
  hasPages?: boolean
  /** A link or button that is shown if the server rejected the query (400). */
  rejected?: ReactNode
  /** Renders the rows. `stale` is true while newer rows are loading. */
  rows: (rows: R[], stale: boolean) => ReactNode
}

/** The section of a page that contains a list: search, rows and page numbers, or a message in place of the rows. */
export function ListSection<R>({
  records,
  live,
  label,
  pageSize,
  skeletonRows = pageSize,
  skeleton = <SkeletonRows rows={skeletonRows} />,
  rejected,
  order,
  hasPages = true,
  noun,
  footerNoun = noun,
  singularNoun = footerNoun,
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
  // While newer rows load, what is shown in place of the rows stays that of the old query.
  const [shownEmpty, setShownEmpty] = useState({ outcome, empty })
  if (outcome !== shownEmpty.outcome || (!stale && empty !== shownEmpty.empty)) {
    setShownEmpty({ outcome, empty })
  }
  const content = (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={label}
      className="settles card overflow-hidden focus:outline-none"
    >
      {children}
      {!outcome && skeleton}
      {outcome?.ok === false && (
        <LoadFailed
          error={outcome.error}
          title={loadFailed}
          forbidden={forbidden}
          message={
            hasUnknownField(outcome.error)
              ? t`This link sorts or filters by a field that you can't see.`
              : undefined
          }
          action={isRejected(outcome.error) && (rejected ?? linkWithoutRejected(outcome.error, records))}
        />
      )}
      {list &&
        list.totalItems > 0 &&
        (list.data.length > 0 || !hasPages ? (
          rows(list.data, stale)
        ) : (
          <EmptyPage totalPages={list.totalPages} first={addressOf(1)} />
        ))}
      <ListFooter
        rows={
          list && list.totalItems > 0 && hasPages
            ? {
                page: list.currentPage ?? query.page,
                pageSize,
                totalPages: list.totalPages,
                total: list.totalItems,
                noun: list.totalItems === 1 ? singularNoun : footerNoun,
                numbering,
                to: addressOf,
                order,
              }
            : undefined
        }
      >
        {list?.totalItems === 0 && (
          <div className={cx('transition-opacity duration-150', stale && 'opacity-50')}>
            {shownEmpty.empty}
          </div>
        )}
      </ListFooter>
    </section>
  )
  if (!live) return content
  return (
    <div>
      {/* The columns of a board are loaded separately, so the list doesn't tell whether they have changed. */}
      <LiveBar concerns={live} records={records} load={hasPages ? records.load : undefined} />
      {content}
    </div>
  )
}

/** Returns whether an error means that the server rejected the query (400), so that sending it again can't help. */
const isRejected = (error: unknown) => problemOf(error)?.status === 400

/**
 * Returns whether the sort order or filter has a field that the list doesn't have, or that is hidden from the user. The
 * message of the error lists fields by their names in the API, which users don't know.
 */
const hasUnknownField = (error: unknown) =>
  messagesOf(error).some(({ code }) => code === 'lists.unknown_field')

/** Returns the link to the list without its search, or its sort order and filter, if the server rejected these. */
function linkWithoutRejected(
  error: unknown,
  { query, addressWith }: Pick<Records<unknown>, 'query' | 'addressWith'>,
) {
  // The list of customers calls it `searchTerm`.
  const isSearch = messagesOf(error).some(({ field }) => field?.startsWith('search'))
  if (!isSearch && !query.sort && !query.filter) return undefined
  return (
    <Link to={addressWith(isSearch ? { search: '' } : { sort: '', filter: '' })} className={buttonClass()}>
      {isSearch ? t`Clear search` : t`Show without sort and filter`}
    </Link>
  )
}
