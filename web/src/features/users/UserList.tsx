import { t } from '@lingui/core/macro'
import { SearchX, UsersRound } from 'lucide-react'
import { Link } from 'react-router'
import { core, type UserList as List, type Permissions, type User } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress } from '~/lib/query'
import { buttonClass } from '~/ui/Button'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { UserTable } from './UserTable'

type Props = {
  query: ListQuery
  loaded: Loaded<List>
  may: Permissions
  onEdit: (user: User) => void
  onDelete: (user: User) => void
}

/** The users of a page, or what stands in their place. */
export function UserList({ query, loaded, may, onEdit, onDelete }: Props) {
  const { outcome, stale } = loaded
  const pageSize = core.usersPageSize()
  if (!outcome) return <SkeletonRows rows={pageSize} columns={7} />
  if (!outcome.ok) {
    return (
      <LoadFailed
        error={outcome.error}
        title={core.texts().users.loadFailed}
        forbidden={t`You don't have access to users`}
      />
    )
  }
  const { data, totalItems, totalPages } = outcome.value
  if (totalItems === 0) return <NothingFound search={query.search} />
  const to = (page: number) => listAddress(paths.users, { ...query, page })
  return (
    <>
      {data.length > 0 ? (
        <UserTable users={data} stale={stale} may={may} onEdit={onEdit} onDelete={onDelete} />
      ) : (
        <EmptyPage totalPages={totalPages} first={to(1)} />
      )}
      <ListFooter
        page={query.page}
        pageSize={pageSize}
        totalPages={totalPages}
        total={totalItems}
        noun={t`users`}
        numbering="three"
        to={to}
      />
    </>
  )
}

function NothingFound({ search }: { search: string }) {
  if (!search) return <State icon={<UsersRound className="size-6" />} title={t`No users found`} />
  return (
    <State
      icon={<SearchX className="size-6" />}
      title={t`No users found`}
      action={
        <Link to={paths.users} className={buttonClass()}>
          {t`Clear search`}
        </Link>
      }
    >
      {t`No name, email or role matches “${search}”.`}
    </State>
  )
}
