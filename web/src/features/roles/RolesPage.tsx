import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useLoaderData, useNavigate, useRevalidator } from 'react-router'
import { core, type Role } from '~/core'
import { textOf } from '~/language'
import { useHasDraft } from '~/lib/drafts'
import { useLastLoaded } from '~/lib/lastLoaded'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { useRowPlace } from '~/lib/rowPlace'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { roleName } from '~/lib/words'
import { DeleteDialog } from '~/records/DeleteDialog'
import { useDialogs } from '~/records/useDialogs'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { Sentence } from '~/ui/Sentence'
import { Unsaved } from '~/ui/Unsaved'
import { draftOf } from './kind'
import type { rolesLoader } from './loader'
import { RoleForm } from './RoleForm'
import { RoleList } from './RoleList'
import { RolePanel } from './RolePanel'
import { RoleRow } from './RoleRow'
import { useMatrixDraft } from './useMatrixDraft'

/** The page with the list of roles. An expanded row contains the role's permission matrix. */
export function RolesPage() {
  useTitle(t`Roles Management`)
  const { query, promise } = useLoaderData<typeof rolesLoader>()
  const { search } = query
  const loaded = useLastLoaded(useLoaded(promise))
  const { outcome } = loaded
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const reload = () => void revalidate()
  // After a role was created, the search is cleared, because the new role may not match it.
  const dialogs = useDialogs<Role>(role => (role || !search ? reload() : void navigate(paths.roles)), reload)
  const { create, form, deletion } = dialogs
  const inUse = deletion && core.roleInUse(deletion.record.usersCount)
  const may = usePermissions(paths.roles)
  const hasDraft = useHasDraft(draftOf())
  const draft = useMatrixDraft(outcome?.ok ? outcome.value : undefined)
  // At first, the role whose draft was restored after a reload is expanded.
  const [expanded, setExpanded] = useState(draft.roleId)
  // The action that waits until the user has confirmed that unsaved changes may be discarded.
  const [pending, setPending] = useState<{ run: () => void }>()
  const runUnlessDirty = (run: () => void) => (draft.isDirty ? setPending({ run }) : run())
  const section = useRef<HTMLElement>(null)
  const expandedButton = useRef<HTMLButtonElement>(null)
  const { focusRow } = useRowPlace(section)
  const mayHaveLostRow = useRef(false)
  // The row with the focus may be gone once the list has loaded again.
  useEffect(() => {
    if (!mayHaveLostRow.current || !outcome) return
    mayHaveLostRow.current = false
    if (document.activeElement === document.body) focusRow()
  }, [outcome, focusRow])
  const toggle = (id: string) =>
    runUnlessDirty(() => {
      draft.discard()
      setExpanded(expanded === id ? undefined : id)
    })
  return (
    <Page
      title={t`Roles Management`}
      subtitle={t`Control what each role can access.`}
      actions={may.can_create && <NewButton label={t`Create Role`} hasDraft={hasDraft} onClick={create} />}
    >
      <section
        ref={section}
        tabIndex={-1}
        aria-label={t`Roles`}
        // Not `hidden`, in which the bar of an expanded role couldn't stick to the bottom of the window.
        className="card overflow-clip outline-none"
      >
        <SearchBox
          label={t`Search roles`}
          search={search}
          to={search => listAddress(paths.roles, { page: 1, search })}
        />
        <RoleList
          search={search}
          loaded={loaded}
          mayCreate={may.can_create}
          onCreate={create}
          row={role => (
            <RoleRow
              key={role.role_id}
              role={role}
              isExpanded={expanded === role.role_id}
              button={expanded === role.role_id ? expandedButton : undefined}
              records={{ may, ...dialogs }}
              onToggle={() => toggle(role.role_id)}
            >
              <RolePanel
                role={role}
                draft={draft}
                readOnly={!may.can_update || !role.can_update}
                onSave={async () => {
                  if (await draft.save(role)) reload()
                }}
                onDiscard={() =>
                  runUnlessDirty(() => {
                    draft.discard()
                    // The button that discarded the changes is about to disappear.
                    expandedButton.current?.focus()
                  })
                }
              />
            </RoleRow>
          )}
        />
      </section>
      {form && (
        <RoleForm
          {...form}
          onSaved={saved => {
            if (form.record) draft.adoptVersion(form.record, saved)
            else if (!draft.isDirty) {
              // Expands the new role, because it has no permissions yet and the user sets them next.
              draft.discard()
              setExpanded(saved.role_id)
            }
            form.onSaved(saved)
          }}
        />
      )}
      {deletion && (
        <DeleteDialog
          {...deletion}
          onClose={() => {
            deletion.onClose()
            // The number of users may be outdated.
            if (inUse) reload()
          }}
          title={t`Delete role`}
          confirmLabel={t`Delete role`}
          obstacle={inUse && textOf(inUse)}
          name={inUse && roleName(deletion.record.name)}
          question={
            <Sentence
              text={place =>
                t`This deletes the role ${place} with its permissions. This action cannot be undone.`
              }
            >
              <strong className="font-medium text-ink [overflow-wrap:anywhere]">
                {roleName(deletion.record.name)}
              </strong>
            </Sentence>
          }
          texts={{ deleted: textOf(core.texts().roles.deleted), deleteFailed: t`Failed to delete role` }}
          id={deletion.record.role_id}
          remove={() => core.deleteRole(deletion.record.role_id)}
          onDeleted={result => {
            if (expanded === deletion.record.role_id) draft.discard()
            mayHaveLostRow.current = true
            deletion.onDeleted(result)
          }}
        />
      )}
      <Unsaved
        dirty={draft.isDirty}
        isAsking={pending !== undefined}
        onKeep={() => setPending(undefined)}
        onDiscard={() => {
          draft.discard()
          pending?.run()
          setPending(undefined)
          // Reloads, because another user may have changed the roles meanwhile, or deleted this one.
          mayHaveLostRow.current = true
          reload()
        }}
      />
    </Page>
  )
}
