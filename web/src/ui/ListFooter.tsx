import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { To } from 'react-router'
import { core, type Numbering } from '~/core'
import { count } from '~/language'
import { cx } from './cx'
import { Pagination } from './Pagination'

type Rows = {
  page: number
  pageSize: number
  totalPages: number
  total: number
  /** The noun for the rows, for example "contacts". */
  noun: string
  numbering: Numbering
  to: (page: number) => To
  /** The sort order in words, for screen readers. */
  order: string | undefined
}

type Props = {
  /** The rows that are shown; undefined if there are none. */
  rows: Rows | undefined
  /** Shown in place of the rows. */
  children: ReactNode
}

/**
 * The end of a list: which rows it shows and the page numbers, or what it shows without rows. It is always
 * rendered, because screen readers announce only changes of an existing region.
 */
export function ListFooter({ rows, children }: Props) {
  return (
    <footer
      className={cx(
        rows &&
          'flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line p-3 md:px-4',
      )}
    >
      <div role="status">
        {rows && <RowRange {...rows} />}
        {children}
      </div>
      {rows && (
        <Pagination
          current={rows.page}
          totalPages={rows.totalPages}
          numbering={rows.numbering}
          to={rows.to}
        />
      )}
    </footer>
  )
}

function RowRange({ page, pageSize, noun, order, ...rows }: Rows) {
  const shown = core.rowRange(page, pageSize, rows.total)
  const [first, last, total] = [count(shown[0]), count(shown[1]), count(rows.total)]
  return (
    <>
      <p className="text-muted tabular-nums">{t`Showing ${first} to ${last} of ${total} ${noun}`}</p>
      {order && <p className="sr-only">{order}</p>}
    </>
  )
}
