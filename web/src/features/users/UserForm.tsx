import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type Core, core, type User, type UserInput, type UserRole } from '~/core'
import { said } from '~/language'
import { useConflict } from '~/records/useConflict'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { passwordHelp } from '~/lib/passwordHelp'
import { useSession } from '~/lib/session'
import { Conflict } from '~/records/Conflict'
import { FormModal } from '~/ui/FormModal'
import { PasswordField } from '~/ui/PasswordField'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { RoleField } from './RoleField'
import { roleName, useRoles } from './useRoles'
import { userName } from './userName'

// A mobile number isn't asked for here; the server keeps the one there is.
type Input = Required<Omit<UserInput, 'mobile'>>

type Props = {
  /** The user to edit; a new one without it. */
  user?: User
  /** The roles that one knows without being told: those of the users in view. */
  knownRoles: UserRole[]
  /** Closed without saving; the list is stale where somebody else has changed the user. */
  onClose: (isStale: boolean) => void
  onSaved: () => void
}

const inputOf = (user?: User): Input => ({
  first_name: user?.first_name ?? '',
  last_name: user?.last_name ?? '',
  email: user?.email ?? '',
  user_type: user?.user_type ?? 'User',
  role_id: user?.role?.role_id ?? '',
  password: '',
})

/** Adds or edits a user. */
export function UserForm({ user, knownRoles, onClose, onSaved }: Props) {
  const texts = core.texts().users
  const { profile } = useSession()
  const isSelf = user?.user_id === profile.id
  const roles = useRoles(knownRoles)
  const [error, setError] = useState<string>()
  const check = (rules: Core, values: UserInput) =>
    user ? rules.checkUserUpdate(values) : rules.checkUser(values)
  const { form, version } = useDraftForm({
    draft: `user ${user?.user_id ?? ''}`,
    version: user?.version,
    mode: 'onTouched',
    resolver: createResolver(check),
    defaultValues: inputOf(user),
  })
  const { control, formState } = form
  const conflict = useConflict({
    form,
    version,
    inputOf,
    fields: {
      first_name: t`First name`,
      last_name: t`Last name`,
      email: t`Email`,
      user_type: { label: t`Type`, show: type => said(type ?? '') },
      role_id: { label: t`Role`, show: id => roleName(roles, id) },
    },
  })
  // Core says who needs a role: without one, its field is among the broken ones.
  const needsRole = check(core, { ...form.watch(), role_id: '' }).some(broken => broken.field === 'role_id')
  // Only the platform's own corporation has Super Admins, and they are all there.
  const types = core.userTypesToGive(profile.type, profile.type === 'Super Admin')
  const save = form.handleSubmit(
    async values => {
      const input = needsRole ? values : { ...values, role_id: '' }
      setError(undefined)
      try {
        if (user) await core.updateUser(user.user_id, { ...input, version: conflict.version })
        else await core.createUser(input)
        toast.success(user ? texts.updated : texts.created)
        onSaved()
      } catch (thrown) {
        if (!conflict.handle(thrown))
          setError(showErrors(form, thrown, user ? texts.updateFailed : texts.createFailed))
      }
    },
    () => toast.error(texts.fieldsRequired),
  )
  return (
    <FormModal
      open
      title={user ? t`Edit User` : t`Add User`}
      description={user && userName(user)}
      submit={user ? t`Save changes` : t`Add user`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => onClose(conflict.round > 0)}
    >
      <Conflict conflict={conflict} />
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField control={control} name="first_name" label={t`First name`} required autoComplete="off" />
        <TextField control={control} name="last_name" label={t`Last name`} required autoComplete="off" />
        <TextField
          control={control}
          name="email"
          label={t`Email`}
          required
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          readOnly={isSelf}
          help={
            isSelf
              ? t`Change your own email and password in Settings.`
              : t`The user signs in with this email.`
          }
          className="sm:col-span-2"
        />
        <SelectField
          control={control}
          name="user_type"
          label={t`Type`}
          required
          choices={types.map(type => ({ value: type, label: said(type) }))}
          help={needsRole ? undefined : t`This user type has full access and doesn't need a role.`}
        />
        {needsRole && <RoleField control={control} name="role_id" roles={roles} />}
        {!isSelf && (
          <div className="sm:col-span-2">
            <PasswordField
              control={control}
              name="password"
              label={user ? t`New password` : t`Password`}
              required={!user}
              help={user ? t`Leave empty to keep the current password.` : passwordHelp}
              autoComplete="new-password"
            />
          </div>
        )}
      </div>
    </FormModal>
  )
}
