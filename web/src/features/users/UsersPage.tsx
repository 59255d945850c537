import { t } from '@lingui/core/macro'
import { UsersRound } from 'lucide-react'
import { core } from '~/core'
import { textOf } from '~/language'
import { fullName, useReload, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { DeleteDialog } from '~/records/DeleteDialog'
import { NothingFound, RecordList } from '~/records/RecordList'
import { DeleteButton, EditButton, widthOfButtons } from '~/records/RowActions'
import { useListRecords } from '~/records/useRecords'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { columns } from './columns'
import { kind } from './kind'
import { UserForm } from './UserForm'

/** The page with the list of the corporation's users. */
export function UsersPage() {
  useTitle(t`User Management`)
  const reload = useReload()
  const { profile } = useSession()
  const users = useListRecords(kind, user => reload(user?.user_id === profile.id))
  const { query, may, hasDraft, create, form, deletion, loaded } = users
  const { search } = query
  const rows = loaded.outcome?.ok ? loaded.outcome.value.data : []
  return (
    <Page
      title={t`User Management`}
      subtitle={t`Manage users in your corporation`}
      actions={may.can_create && <NewButton label={t`Add User`} hasDraft={hasDraft} onClick={create} />}
    >
      <RecordList
        list="users"
        records={users}
        search={{ label: t`Search users` }}
        label={t`Users`}
        noun={t`users`}
        singularNoun={kind.words.one}
        pageSize={core.recordPageSize('users')}
        loadFailed={t`Failed to load users`}
        forbidden={t`You don't have access to users`}
        empty={
          search ? (
            <NothingFound title={t`No users found`} to={users.addressWith({ search: '' })}>
              {t`No name, email or role matches “${search}”.`}
            </NothingFound>
          ) : (
            <State icon={<UsersRound className="size-6" />} title={t`No users found`} />
          )
        }
        columns={columns}
        idOf={user => user.user_id}
        actionsWidth={widthOfButtons(2)}
        nameOf={fullName}
        opensMenu
        onOpen={user => (may.can_update && user.can_update ? () => users.edit(user) : undefined)}
        actions={user =>
          (user.can_update || user.can_delete) && (
            <>
              {user.can_update && (
                <EditButton records={users} record={user} label={t`Edit ${fullName(user)}`} />
              )}
              {user.can_delete && (
                <DeleteButton records={users} record={user} label={t`Delete ${fullName(user)}`} />
              )}
            </>
          )
        }
      />
      {form && (
        <UserForm {...form} knownRoles={rows.flatMap(({ role, can_update }) => (can_update && role) || [])} />
      )}
      {deletion && (
        <DeleteDialog
          {...deletion}
          title={t`Delete User`}
          confirmLabel={t`Delete user`}
          name={fullName(deletion.record)}
          detail={deletion.record.email}
          texts={{
            deleted: textOf(core.recordTexts('users').deleted),
            deleteFailed: t`Failed to delete user`,
            deleteQuestion: t`Are you sure you want to delete this user? This action cannot be undone.`,
          }}
          id={deletion.record.user_id}
          remove={() => core.deleteRecord('users', deletion.record.user_id)}
        />
      )}
    </Page>
  )
}
