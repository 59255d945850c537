import { t } from '@lingui/core/macro'
import type { RowData } from '@tanstack/react-table'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '~/ui/Button'
import { State } from '~/ui/State'
import { ListSection, type SectionProps } from './ListSection'
import { RecordTable, type TableProps } from './RecordTable'

type Props<R> = SectionProps<R> & Omit<TableProps<R>, 'rows' | 'stale'>

/** The section of a page that contains a table of records. */
export function RecordList<R extends RowData>({
  columns,
  idOf,
  actions,
  actionsWidth,
  wide,
  expand,
  ...section
}: Props<R>) {
  const { query, arrange } = section.records
  const sorting = { sort: query.sort, onSort: (sort: string) => arrange({ sort }) }
  const table = { sorting, label: section.label, columns, idOf, actions, actionsWidth, wide, expand }
  return (
    <ListSection
      {...section}
      skeletonColumns={columns.length + 1}
      rows={(rows, stale) => <RecordTable {...table} rows={rows} stale={stale} />}
    />
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
