import { t } from '@lingui/core/macro'
import { useCallback, useRef, useState } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import type { User } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { usePermissions, useRenewSession, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { DeleteUserDialog } from './DeleteUserDialog'
import type { usersLoader } from './loader'
import { UserForm } from './UserForm'
import { UserList } from './UserList'

/** The open dialog: a new user, one to edit, or one to delete. */
type Task = { kind: 'create' } | { kind: 'edit' | 'delete'; user: User }

/** The people of the corporation. */
export function UsersPage() {
  useTitle(t`User Management`)
  const { query, coming } = useLoaderData<typeof usersLoader>()
  const list = useRef<HTMLElement>(null)
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(coming),
    page: query.page,
    pagesOf: ({ totalPages }) => totalPages,
    to: page => listAddress(paths.users, { ...query, page }),
    list,
  })
  const { revalidate } = useRevalidator()
  const renewSession = useRenewSession()
  const { profile } = useSession()
  const may = usePermissions(paths.users)
  const [task, setTask] = useState<Task>()
  const edit = useCallback((user: User) => setTask({ kind: 'edit', user }), [])
  const remove = useCallback((user: User) => setTask({ kind: 'delete', user }), [])
  const close = () => setTask(undefined)
  const rows = shown.outcome?.ok ? shown.outcome.value.data : []
  return (
    <Page
      title={t`User Management`}
      subtitle={t`Manage users in your corporation`}
      actions={
        may.can_create && <NewButton label={t`Add User`} onClick={() => setTask({ kind: 'create' })} />
      }
    >
      <section
        ref={list}
        tabIndex={-1}
        aria-label={t`Users`}
        className="card overflow-hidden focus:outline-none"
      >
        <SearchBox
          label={t`Search users`}
          search={query.search}
          to={search => listAddress(paths.users, { page: 1, search })}
        />
        <UserList query={query} loaded={shown} may={may} onEdit={edit} onDelete={remove} />
      </section>
      {(task?.kind === 'create' || task?.kind === 'edit') && (
        <UserForm
          user={task.kind === 'edit' ? task.user : undefined}
          knownRoles={rows.flatMap(({ role }) => role ?? [])}
          onClose={isStale => {
            close()
            if (isStale) void revalidate()
          }}
          onSaved={() => {
            close()
            const isSelf = task.kind === 'edit' && task.user.user_id === profile.id
            void (isSelf ? renewSession() : revalidate())
          }}
        />
      )}
      {task?.kind === 'delete' && (
        <DeleteUserDialog
          user={task.user}
          onClose={close}
          onDeleted={() => {
            close()
            afterDeletion()
          }}
        />
      )}
    </Page>
  )
}
