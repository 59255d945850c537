import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { type CorporationUser, core } from '~/core'
import { useFittingColumns } from '~/records/columns'
import { AddFilter, FilterBar } from '~/records/filter/FilterBar'
import { FilterSheet } from '~/records/filter/FilterSheet'
import { useFilter } from '~/records/filter/useFilter'
import { ListSection } from '~/records/ListSection'
import { NothingFound, NothingMatches } from '~/records/RecordList'
import { RecordTable } from '~/records/RecordTable'
import { widthOfButtons } from '~/records/RowActions'
import { isSortable, readSorting, sortingText, writeSorting } from '~/records/sorting'
import { TableSkeleton } from '~/records/TableSkeleton'
import type { Records } from '~/records/useRecords'
import { SearchBox } from '~/ui/SearchBox'
import { useTablet } from '~/ui/usePhone'
import { userColumns } from './userColumns'
import { userName } from './userName'

type Props = {
  users: Records<CorporationUser>
  /** Shown if the corporation has no users. */
  empty: ReactNode
  onOpen: (user: CorporationUser) => (() => void) | undefined
  actions: (user: CorporationUser) => ReactNode
}

/**
 * The list of a corporation's users. It has no views, column choices and export, because those of the list `users`
 * belong to the signed-in user's own corporation.
 */
export function UserList({ users, empty, onOpen, actions }: Props) {
  const { query, arrange, addressWith } = users
  const { search, sort } = query
  const isNarrow = useTablet()
  const filter = useFilter('users', users)
  const columns = useFittingColumns(userColumns)
  const table = { columns, actionsWidth: widthOfButtons(3), wide: true }
  const sorting = readSorting(sort, columns)
  const noun = t`users`
  const notFound = (
    <NothingFound title={t`No users found`} to={addressWith({ search: '' })}>
      {t`No name, email or role matches “${search}”.`}
    </NothingFound>
  )
  return (
    <ListSection
      records={users}
      label={t`Users`}
      noun={noun}
      singularNoun={t`user`}
      pageSize={core.recordPageSize('users')}
      skeleton={<TableSkeleton {...table} rows={5} />}
      order={sortingText(sorting, columns)}
      loadFailed={t`Failed to load users`}
      forbidden={t`You don't have access to users`}
      empty={query.filter ? <NothingMatches records={users} noun={noun} /> : search ? notFound : empty}
      rows={(rows, stale) => (
        <RecordTable
          label={t`Users`}
          rows={rows}
          idOf={user => user.id}
          stale={stale}
          {...table}
          nameOf={userName}
          opensMenu
          sorting={{ sort, onSort: sort => arrange({ sort }) }}
          onOpen={onOpen}
          actions={actions}
        />
      )}
    >
      <SearchBox
        label={t`Search users`}
        {...users.search}
        tools={
          isNarrow ? (
            <FilterSheet
              {...filter}
              sorting={sorting}
              sortable={columns.filter(isSortable)}
              onSort={sorting => arrange({ sort: writeSorting(sorting, columns) })}
            />
          ) : (
            <AddFilter {...filter} />
          )
        }
      />
      {!isNarrow && <FilterBar {...filter} />}
    </ListSection>
  )
}
