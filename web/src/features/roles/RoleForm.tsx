import { t } from '@lingui/core/macro'
import { core, type Role } from '~/core'
import { textOf } from '~/language'
import { roleDescription, roleName, storedRoleDescription, storedRoleName } from '~/lib/words'
import { RecordForm, useRecordForm } from '~/records/RecordForm'
import type { FormDialog } from '~/records/useDialogs'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { draftOf } from './kind'

type Values = { name: string; description: string }

const inputOf = (role?: Role): Values => ({
  name: roleName(role?.name ?? ''),
  description: roleDescription(role?.description ?? ''),
})

/** Returns the texts to store. What the user left unchanged is sent as it is stored. */
function bodyOf({ name, description }: Values, role?: Role): Values {
  const shown = inputOf(role)
  return {
    name: role && name === shown.name ? role.name : storedRoleName(name),
    description:
      role && description === shown.description ? role.description : storedRoleDescription(description),
  }
}

const labels = { name: t`Name`, description: t`Description` }

/** The form that creates a role, or changes its name and description. */
export function RoleForm({ record: role, onClose, onSaved }: FormDialog<Role, Role>) {
  const state = useRecordForm({
    draft: draftOf(role?.role_id),
    record: role,
    inputOf,
    labels,
    check: (rules, values) => rules.checkRole(values),
    save: (values, version) =>
      role
        ? core.updateRole(role.role_id, { ...bodyOf(values, role), version })
        : core.createRole(bodyOf(values)),
    texts: {
      created: textOf(core.texts().roles.created),
      updated: textOf(core.texts().roles.updated),
      createFailed: t`Failed to create role`,
      updateFailed: t`Failed to update role`,
    },
    onSaved,
    onInvalid: () => toast.error(textOf(core.texts().roles.fieldsRequired)),
  })
  const { field } = state
  return (
    <RecordForm
      state={state}
      title={role ? t`Rename role` : t`Create Role`}
      description={role ? undefined : t`You'll set its permissions next.`}
      submit={role ? t`Save changes` : t`Create role`}
      onClose={onClose}
    >
      <div className="grid gap-2">
        <TextField {...field('name')} required autoComplete="off" />
        <TextField {...field('description')} help={t`Describe what this role is for.`} required lines={3} />
      </div>
    </RecordForm>
  )
}
