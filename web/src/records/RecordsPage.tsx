import { t } from '@lingui/core/macro'
import type { RowData } from '@tanstack/react-table'
import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { core, type Records as Lists } from '~/core'
import type { Outcome } from '~/lib/load'
import type { ListQuery } from '~/lib/query'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import type { Column } from './columns'
import { EmptyList } from './EmptyList'
import { NothingFound, RecordList } from './RecordList'
import { DeleteButton, EditButton } from './RowActions'
import type { DeletionDialog, FormDialog } from './useDialogs'
import { type ListPage, type Records, useRecords } from './useRecords'

type Words = {
  title: string
  subtitle: string
  /** Label of the button that creates a record. */
  create: string
  /** Name of the list, and the plural noun for its rows. */
  label: string
  noun: string
  search: string
  loadFailed: string
  forbidden: string
  /** Title if no record matches the search, and title if the list has no records. */
  none: string
  noMatch: (search: string) => string
  /** For an empty list: label of the button that creates the first record, and a hint. */
  first: string
  hint: string
  edit: (name: string) => string
  remove: (name: string) => string
}

type Props<R, Q extends ListQuery> = {
  list: keyof Lists
  /** The path of the page in the app. */
  route: string
  words: Words
  icon: LucideIcon
  columns: Column<R>[]
  idOf: (record: R) => string
  /** Returns the name of a record, as shown to users. */
  nameOf: (record: R) => string
  Form: ComponentType<FormDialog<R>>
  Deletion: ComponentType<DeletionDialog<R>>
  /** The buttons of a row, to the left of Edit and Delete. */
  actions?: (record: R) => ReactNode
  actionsWidth?: string
  /** Returns the list's URL for a query. Only needed if the list has URL parameters that other lists don't have. */
  address?: (query: Q) => string
  /** Buttons beside the button that creates a record. */
  buttons?: (query: Q) => ReactNode
  /** Returns the parameters of the filters that only this list has. */
  narrowedBy?: (query: Q) => Record<string, string>
  /** Renders these filters. `onRemoved` moves the focus after one was removed. */
  filters?: (query: Q, onRemoved: () => void) => ReactNode
  /** Returns whether a record can be deleted; by default true. */
  isDeletable?: (record: R) => boolean
  /** Returns whether the query shows the records as a board instead of a table. */
  isBoard?: (query: Q) => boolean
  /** Renders the records as a board, instead of a table. `stale` is true while newer records load. */
  board?: (records: Records<R>, stale: boolean) => ReactNode
  /** Shown on top of the list, such as a dialog that has a URL. */
  children?: ReactNode
}

/** The page of a list without a filter panel of its own. Use it with the loader that `listLoader` returns. */
export function RecordsPage<R extends RowData & object, Q extends ListQuery = ListQuery>({
  list,
  route,
  words,
  icon,
  columns,
  idOf,
  nameOf,
  Form,
  Deletion,
  actions,
  actionsWidth = 'w-28',
  address,
  buttons,
  narrowedBy,
  filters,
  isDeletable = () => true,
  isBoard,
  board,
  children,
}: Props<R, Q>) {
  const records = useRecords<ListPage<R>, Q>({
    route,
    address,
    ...useLoaderData<{ query: Q; promise: Promise<Outcome<ListPage<R>>> }>(),
  })
  const { query, may, create, form, deletion } = records
  const { title, subtitle, label, noun, loadFailed, forbidden } = words
  const narrowed = narrowedBy?.(query)
  const isNarrowed = Object.values(narrowed ?? {}).some(Boolean)
  return (
    <Page
      title={title}
      subtitle={subtitle}
      actions={
        <>
          {buttons?.(query)}
          {may.can_create && <NewButton label={words.create} onClick={create} />}
        </>
      }
    >
      <RecordList
        list={list}
        records={records}
        board={board && isBoard?.(query) ? stale => board(records, stale) : undefined}
        search={{ label: words.search }}
        bulk={{ nameOf, query: narrowed }}
        label={label}
        noun={noun}
        pageSize={core.recordPageSize(list)}
        loadFailed={loadFailed}
        forbidden={forbidden}
        empty={
          query.search || isNarrowed ? (
            <NothingFound title={words.none} clear={isNarrowed ? t`Clear filters` : undefined} to={route}>
              {query.search && words.noMatch(query.search)}
            </NothingFound>
          ) : (
            <EmptyList
              icon={icon}
              title={words.none}
              button={words.first}
              onCreate={may.can_create && create}
            >
              {words.hint}
            </EmptyList>
          )
        }
        columns={columns}
        idOf={idOf}
        wide
        actionsWidth={actionsWidth}
        actions={record => (
          <>
            {actions?.(record)}
            <EditButton records={records} record={record} label={words.edit(nameOf(record))} tip={t`Edit`} />
            {isDeletable(record) && (
              <DeleteButton
                records={records}
                record={record}
                label={words.remove(nameOf(record))}
                tip={t`Delete`}
              />
            )}
          </>
        )}
      >
        {isNarrowed && filters?.(query, () => records.section.current?.focus())}
      </RecordList>
      {form && <Form {...form} />}
      {deletion && <Deletion {...deletion} />}
      {children}
    </Page>
  )
}
