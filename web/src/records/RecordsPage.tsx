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
  /** Name of the list, and what its rows are. */
  label: string
  noun: string
  search: string
  loadFailed: string
  forbidden: string
  /** Title if no record matches, or there is none. */
  none: string
  noMatch: (search: string) => string
  /** Label of the button that creates the first record, and a hint. */
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
  /** Returns the text by which users know a record. */
  nameOf: (record: R) => string
  Form: ComponentType<FormDialog<R>>
  Deletion: ComponentType<DeletionDialog<R>>
  /** The buttons of a row before those that edit and delete. */
  actions?: (record: R) => ReactNode
  actionsWidth?: string
  /** Returns the address that shows a query, if the list has parameters of its own. */
  address?: (query: Q) => string
  /** Buttons beside that which creates a record. */
  buttons?: (query: Q) => ReactNode
  /** Returns whether the query asks for the board. */
  isBoard?: (query: Q) => boolean
  /** Returns what shows the records instead of a table. `stale` while new ones load. */
  board?: (records: Records<R>, stale: boolean) => ReactNode
  /** What is above the list, such as a dialog with a URL. */
  children?: ReactNode
}

/** The page of a list that has no filter panel of its own. Its loader is made by `listLoader`. */
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
        bulk={{ nameOf }}
        label={label}
        noun={noun}
        pageSize={core.recordPageSize(list)}
        loadFailed={loadFailed}
        forbidden={forbidden}
        empty={
          query.search ? (
            <NothingFound title={words.none} to={route}>
              {words.noMatch(query.search)}
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
            <DeleteButton
              records={records}
              record={record}
              label={words.remove(nameOf(record))}
              tip={t`Delete`}
            />
          </>
        )}
      />
      {form && <Form {...form} />}
      {deletion && <Deletion {...deletion} />}
      {children}
    </Page>
  )
}
