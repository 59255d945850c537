import { t } from '@lingui/core/macro'
import { useCallback, useState } from 'react'
import { useLoaderData, useNavigate, useRevalidator } from 'react-router'
import type { User } from '~/core'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { usePermissions, useRenewSession, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { DeleteUserDialog } from './DeleteUserDialog'
import type { usersLoader } from './route'
import { UserForm } from './UserForm'
import { UserList } from './UserList'

/** The open dialog: a new user, one to edit, or one to delete. */
type Task = { kind: 'create' } | { kind: 'edit' | 'delete'; user: User }

/** The people of the corporation. */
export function UsersPage() {
  useTitle(t`User Management`)
  const { query, coming } = useLoaderData<typeof usersLoader>()
  const loaded = useLoaded(coming)
  const { revalidate } = useRevalidator()
  const renewSession = useRenewSession()
  const navigate = useNavigate()
  const { profile } = useSession()
  const may = usePermissions(paths.users)
  const [task, setTask] = useState<Task>()
  const edit = useCallback((user: User) => setTask({ kind: 'edit', user }), [])
  const remove = useCallback((user: User) => setTask({ kind: 'delete', user }), [])
  const close = () => setTask(undefined)
  const rows = loaded.outcome?.ok ? loaded.outcome.value.data : []
  return (
    <Page
      title={t`User Management`}
      subtitle={t`Manage users in your corporation`}
      actions={
        may.can_create && <NewButton label={t`Add User`} onClick={() => setTask({ kind: 'create' })} />
      }
    >
      <section aria-label={t`Users`} className="card overflow-hidden">
        <SearchBox
          label={t`Search users`}
          search={query.search}
          to={search => listAddress(paths.users, { page: 1, search })}
        />
        <UserList query={query} loaded={loaded} may={may} onEdit={edit} onDelete={remove} />
      </section>
      {(task?.kind === 'create' || task?.kind === 'edit') && (
        <UserForm
          user={task.kind === 'edit' ? task.user : undefined}
          knownRoles={rows.flatMap(({ role }) => role ?? [])}
          onClose={() => {
            close()
            // Perhaps somebody else has changed them too.
            if (task.kind === 'edit') void revalidate()
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
            const isEmptied = rows.length === 1 && query.page > 1
            void (isEmptied
              ? navigate(listAddress(paths.users, { ...query, page: query.page - 1 }), { replace: true })
              : revalidate())
          }}
        />
      )}
    </Page>
  )
}
