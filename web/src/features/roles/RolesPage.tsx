import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useLoaderData, useNavigate, useRevalidator } from 'react-router'
import type { Role } from '~/core'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { Unsaved } from '~/ui/Unsaved'
import { DeleteRoleDialog } from './DeleteRoleDialog'
import type { rolesLoader } from './loader'
import { RoleForm } from './RoleForm'
import { RoleList } from './RoleList'
import { RolePanel } from './RolePanel'
import { RoleRow } from './RoleRow'
import { useDraft } from './useDraft'

/** The open dialog: a new role, one to rename, or one to delete. */
type Task = { kind: 'create' } | { kind: 'rename' | 'delete'; role: Role }

/** The roles of the corporation, and what each may do. */
export function RolesPage() {
  useTitle(t`Roles Management`)
  const { search, coming } = useLoaderData<typeof rolesLoader>()
  const loaded = useLoaded(coming)
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const may = usePermissions(paths.roles)
  const draft = useDraft()
  // What was set before a reload is in view again.
  const [open, setOpen] = useState(draft.roleId)
  const [task, setTask] = useState<Task>()
  // What waits until somebody has said that their changes may go.
  const [waiting, setWaiting] = useState<{ then: () => void }>()
  const unlessDirty = (then: () => void) => (draft.isDirty ? setWaiting({ then }) : then())
  const create = () => setTask({ kind: 'create' })
  const done = () => {
    setTask(undefined)
    void revalidate()
  }
  const row = (role: Role) => (
    <RoleRow
      key={role.role_id}
      role={role}
      isOpen={open === role.role_id}
      may={may}
      onToggle={() =>
        unlessDirty(() => {
          draft.discard()
          setOpen(open === role.role_id ? undefined : role.role_id)
        })
      }
      onRename={() => setTask({ kind: 'rename', role })}
      onDelete={() => setTask({ kind: 'delete', role })}
    >
      <RolePanel
        role={role}
        draft={draft}
        readOnly={!may.can_update}
        onSave={async () => {
          if (await draft.save()) void revalidate()
        }}
        onDiscard={() => unlessDirty(draft.discard)}
      />
    </RoleRow>
  )
  return (
    <Page
      title={t`Roles Management`}
      subtitle={t`Control what each role can access.`}
      actions={may.can_create && <NewButton label={t`Create Role`} onClick={create} />}
    >
      <section aria-label={t`Roles`} className="card overflow-hidden">
        <SearchBox
          label={t`Search roles`}
          search={search}
          to={wanted => listAddress(paths.roles, { page: 1, search: wanted })}
        />
        <RoleList
          search={search}
          loaded={loaded}
          mayCreate={may.can_create ?? false}
          onCreate={create}
          row={row}
        />
      </section>
      {task?.kind === 'create' && (
        <RoleForm
          onClose={() => setTask(undefined)}
          onSaved={role => {
            // It grants nothing yet, so its matrix is what comes next.
            if (!draft.isDirty) {
              draft.discard()
              setOpen(role.role_id)
            }
            setTask(undefined)
            void (search ? navigate(paths.roles) : revalidate())
          }}
        />
      )}
      {task?.kind === 'rename' && (
        <RoleForm
          role={task.role}
          onClose={isStale => (isStale ? done() : setTask(undefined))}
          onSaved={role => {
            draft.follow(task.role, role)
            done()
          }}
        />
      )}
      {task?.kind === 'delete' && (
        <DeleteRoleDialog
          role={task.role}
          onClose={() => setTask(undefined)}
          onDeleted={() => {
            if (open === task.role.role_id) draft.discard()
            done()
          }}
        />
      )}
      <Unsaved
        dirty={draft.isDirty}
        isAsking={waiting !== undefined}
        onKeep={() => setWaiting(undefined)}
        onDiscard={() => {
          draft.discard()
          waiting?.then()
          setWaiting(undefined)
          // Perhaps somebody else has changed them too.
          void revalidate()
        }}
      />
    </Page>
  )
}
