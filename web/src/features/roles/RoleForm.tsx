import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { core, type Role } from '~/core'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { Conflict } from '~/records/Conflict'
import { useConflict } from '~/records/useConflict'
import { FormModal } from '~/ui/FormModal'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'

type Props = {
  /** The role to rename; a new one without it. */
  role?: Role
  /** Closed without saving; the list is stale where somebody else has changed the role. */
  onClose: (isStale: boolean) => void
  onSaved: (role: Role) => void
}

const inputOf = (role?: Role) => ({ name: role?.name ?? '', description: role?.description ?? '' })

/** Creates or renames a role. */
export function RoleForm({ role, onClose, onSaved }: Props) {
  const texts = core.texts().roles
  const [error, setError] = useState<string>()
  const { form, version } = useDraftForm({
    draft: `role ${role?.role_id ?? ''}`,
    version: role?.version,
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkRole(values)),
    defaultValues: inputOf(role),
  })
  const { control, formState } = form
  const conflict = useConflict({
    form,
    version,
    inputOf,
    fields: { name: t`Name`, description: t`Description` },
  })
  const save = form.handleSubmit(
    async values => {
      setError(undefined)
      try {
        const saved = role
          ? await core.updateRole(role.role_id, { ...values, version: conflict.version })
          : await core.createRole(values)
        toast.success(role ? texts.updated : texts.created)
        onSaved(saved)
      } catch (thrown) {
        if (!conflict.handle(thrown))
          setError(showErrors(form, thrown, role ? texts.updateFailed : texts.createFailed))
      }
    },
    () => toast.error(texts.fieldsRequired),
  )
  return (
    <FormModal
      open
      title={role ? t`Rename Role` : t`Create Role`}
      description={role ? undefined : t`You'll set its permissions next.`}
      submit={role ? t`Save changes` : t`Create role`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => onClose(conflict.round > 0)}
    >
      <Conflict conflict={conflict} />
      <div className="grid gap-2">
        <TextField control={control} name="name" label={t`Name`} required autoComplete="off" />
        <TextField
          control={control}
          name="description"
          label={t`Description`}
          help={t`Describe what this role is for.`}
          required
          lines={3}
        />
      </div>
    </FormModal>
  )
}
