import { t } from '@lingui/core/macro'
import type { RowData } from '@tanstack/react-table'
import type { ComponentType, ReactNode } from 'react'
import { core, type Records as Lists } from '~/core'
import { addressAfter, type ListQuery } from '~/lib/query'
import { useTitle } from '~/lib/title'
import { iconOf } from '~/ui/icons'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import type { Column } from './columns'
import { DeleteRecordDialog } from './DeleteRecordDialog'
import { EmptyList } from './EmptyList'
import type { RecordKind } from './kind'
import { NothingFound, RecordList } from './RecordList'
import { DeleteButton, EditButton, widthOfButtons } from './RowActions'
import type { FormDialog } from './useDialogs'
import { type Records, useListRecords } from './useRecords'

type Words = {
  subtitle: string
  noMatch: (search: string) => string
  /** For an empty list: label of the button that creates the first record, and a hint. */
  first: string
  hint: string
  /** By default the name of the list. */
  title?: string
  /** Label of the button that creates a record; by default as in the palette. */
  create?: string
  /** Labels of a row's buttons; by default "Edit" and "Delete" before the record's name. */
  edit?: (name: string) => string
  remove?: (name: string) => string
}

type Props<L extends keyof Lists, Q extends ListQuery, R> = {
  kind: RecordKind<L, Q, R>
  words: Words
  /** The title of the browser's tab; by default the page's. */
  tabTitle?: string
  columns: Column<R>[]
  /** Returns the name of a record on this page; by default that of its kind. */
  nameOf?: (record: R) => string
  Form: ComponentType<FormDialog<R>>
  /** The buttons of a row, to the left of Edit and Delete. */
  actions?: (record: R) => ReactNode
  actionsWidth?: string
  /** Buttons beside the button that creates a record. */
  buttons?: (query: Q) => ReactNode
  /** Returns the parameters of the filters that only this list has. */
  ownParameters?: (query: Q) => Record<string, string>
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

/** The page of a list without a filter panel of its own. Its route is the one that `listRoute` returns. */
export function RecordsPage<L extends keyof Lists, Q extends ListQuery, R extends RowData & object>({
  kind,
  words,
  tabTitle,
  columns,
  nameOf = kind.nameOf,
  Form,
  actions,
  actionsWidth = widthOfButtons(2),
  buttons,
  ownParameters,
  filters,
  isDeletable = () => true,
  isBoard,
  board,
  children,
}: Props<L, Q, R>) {
  const { resource } = kind
  const { one, many } = kind.words
  const records = useListRecords(kind)
  const { query, may, hasDraft, create, form, deletion } = records
  const {
    title = kind.title,
    create: createLabel = kind.create.title,
    edit = (name: string) => t`Edit ${name}`,
    remove = (name: string) => t`Delete ${name}`,
  } = words
  const none = t`No ${many} found.`
  useTitle(tabTitle ?? title)
  const parameters = ownParameters?.(query)
  const hasOwnFilter = Object.values(parameters ?? {}).some(Boolean)
  const cleared = Object.fromEntries(Object.keys(parameters ?? {}).map(name => [name, '']))
  return (
    <Page
      title={title}
      subtitle={words.subtitle}
      actions={
        <>
          {buttons?.(query)}
          {may.can_create && <NewButton label={createLabel} hasDraft={hasDraft} onClick={create} />}
        </>
      }
    >
      <RecordList
        list={resource}
        records={records}
        board={board && isBoard?.(query) ? stale => board(records, stale) : undefined}
        search={{ label: t`Search ${many}` }}
        bulk={{ nameOf, query: parameters }}
        label={kind.title}
        noun={many}
        singularNoun={one}
        pageSize={core.recordPageSize(resource)}
        loadFailed={t`Failed to load ${many}.`}
        forbidden={t`You don't have access to ${many}`}
        empty={
          query.search || hasOwnFilter ? (
            <NothingFound
              title={none}
              clear={hasOwnFilter ? t`Clear filters` : undefined}
              to={addressAfter(kind, query, { search: '', ...cleared })}
            >
              {query.search && words.noMatch(query.search)}
            </NothingFound>
          ) : (
            <EmptyList
              icon={iconOf(kind.icon)}
              title={none}
              button={words.first}
              onCreate={may.can_create && create}
            >
              {words.hint}
            </EmptyList>
          )
        }
        columns={columns}
        idOf={kind.idOf}
        actionsWidth={actionsWidth}
        hasReadActions={actions !== undefined}
        actions={record => (
          <>
            {actions?.(record)}
            <EditButton records={records} record={record} label={edit(nameOf(record))} tip={t`Edit`} />
            {isDeletable(record) && (
              <DeleteButton
                records={records}
                record={record}
                label={remove(nameOf(record))}
                tip={t`Delete`}
              />
            )}
          </>
        )}
      >
        {hasOwnFilter && filters?.(query, () => records.section.current?.focus())}
      </RecordList>
      {form && <Form {...form} />}
      {deletion && <DeleteRecordDialog kind={kind} {...deletion} />}
      {children}
    </Page>
  )
}
