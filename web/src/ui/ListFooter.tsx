import { t } from '@lingui/core/macro'
import type { To } from 'react-router'
import { core, type Numbering } from '~/core'
import { count } from '~/language'
import { Pagination } from './Pagination'

type Props = {
  page: number
  pageSize: number
  totalPages: number
  total: number
  /** The noun for the rows, for example "contacts". */
  noun: string
  numbering: Numbering
  to: (page: number) => To
}

export function ListFooter({ page, pageSize, totalPages, noun, numbering, to, ...list }: Props) {
  const shown = core.rowRange(page, pageSize, list.total)
  const [first, last, total] = [count(shown[0]), count(shown[1]), count(list.total)]
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line p-3 md:px-4">
      <p role="status" className="text-muted tabular-nums">
        {t`Showing ${first} to ${last} of ${total} ${noun}`}
      </p>
      <Pagination current={page} totalPages={totalPages} numbering={numbering} to={to} />
    </footer>
  )
}
