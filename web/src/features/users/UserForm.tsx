import { t } from '@lingui/core/macro'
import { type Core, core, type User, type UserInput, type UserRole, type UserType } from '~/core'
import { textOf } from '~/language'
import { fullName, useSession } from '~/lib/session'
import { userTypeNames } from '~/lib/words'
import { EmailField, UserPasswordField } from '~/records/fields'
import { inputsOf } from '~/records/inputs'
import { RecordForm } from '~/records/RecordForm'
import type { FormDialog } from '~/records/useDialogs'
import { useKindForm } from '~/records/useKindForm'
import { choicesOf } from '~/ui/choices'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { kind } from './kind'
import { RoleField } from './RoleField'
import { nameOfRole, useRoles } from './useRoles'

// The form has no field for `mobile` and doesn't send it, so the server keeps its value.
type Input = Required<Omit<UserInput, 'mobile'>>

type Props = FormDialog<User> & {
  /** The roles to choose from if the corporation's roles can't be loaded. */
  knownRoles: UserRole[]
}

const inputOf = (user?: User): Input => ({
  ...inputsOf(['first_name', 'last_name', 'email', 'user_type'], user, { user_type: 'User' }),
  role_id: user?.role?.role_id ?? '',
  password: '',
})

/** The form that creates or edits a user. */
export function UserForm({ record: user, knownRoles, onClose, onSaved }: Props) {
  const { profile } = useSession()
  const isSelf = user?.user_id === profile.id
  const roles = useRoles(knownRoles)
  const check = (rules: Core, values: UserInput) =>
    user ? rules.checkUserUpdate(values) : rules.checkUser(values)
  // A role is needed if core rejects the form without one, which depends on the type of user.
  const needsRole = (values: UserInput) =>
    check(core, { ...values, role_id: '' }).some(error => error.field === 'role_id')
  const state = useKindForm({
    kind,
    record: user,
    inputOf,
    labels: {
      first_name: t`First name`,
      last_name: t`Last name`,
      email: t`Email`,
      user_type: { label: t`Type`, show: type => userTypeNames[type as UserType] ?? '' },
      role_id: { label: t`Role`, show: id => nameOfRole(roles, id) },
    },
    check,
    bodyOf: values => (needsRole(values) ? values : { ...values, role_id: '' }),
    onSaved,
    onInvalid: () => toast.error(textOf(core.texts().users.fieldsRequired)),
  })
  const { form, field } = state
  const isRoleShown = needsRole(form.watch())
  // Only a Super Admin can make others Super Admins, because all of them belong to the platform's own corporation.
  const types = core.userTypesToGive(profile.type, profile.type === 'Super Admin')
  return (
    <RecordForm
      state={state}
      title={user ? t`Edit user` : t`Add User`}
      description={user && fullName(user)}
      submit={user ? t`Save changes` : t`Add user`}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField {...field('first_name')} required autoComplete="off" />
        <TextField {...field('last_name')} required autoComplete="off" />
        <EmailField
          {...field('email')}
          required
          readOnly={isSelf}
          help={
            isSelf
              ? t`Change your own email and password in Settings.`
              : t`The user signs in with this email.`
          }
          className="sm:col-span-2"
        />
        <SelectField
          {...field('user_type')}
          required
          choices={choicesOf(userTypeNames, types)}
          className={isRoleShown ? undefined : 'sm:col-span-2'}
          help={isRoleShown ? undefined : t`This user type has full access and doesn't need a role.`}
        />
        {isRoleShown && <RoleField {...field('role_id')} roles={roles} />}
        {!isSelf && (
          <div className="sm:col-span-2">
            <UserPasswordField
              control={form.control}
              name="password"
              label={user ? t`New password` : t`Password`}
              isNew={!user}
            />
          </div>
        )}
      </div>
    </RecordForm>
  )
}
