import { useMemo, useState } from 'react'
import { type CorporationUser, core } from '~/core'
import { useAsk } from '~/lib/ask'
import { useConflict } from '~/lib/conflict'
import { checkedBy, showRefusal } from '~/lib/form'
import { useKeptForm } from '~/lib/keptForm'
import { sentenceOf } from '~/lib/problem'
import { site } from '~/lib/site'
import { Button } from '~/ui/Button'
import { Conflict } from '~/ui/Conflict'
import { FormModal } from '~/ui/FormModal'
import { Notice } from '~/ui/Notice'
import { PasswordField } from '~/ui/PasswordField'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'

type Props = {
  corpId: string
  /** The one to edit; a new one without it. */
  user?: CorporationUser
  onClose: () => void
  onSaved: () => void
}

const inputOf = (user?: CorporationUser) => ({
  first_name: user?.first ?? '',
  last_name: user?.last ?? '',
  email: user?.email ?? '',
  mobile: user?.mobile ?? '',
  user_type: user?.type ?? ('User' as const),
  role_id: user?.UserRole?.role_id ?? '',
  password: '',
})

/** Adds a user to a corporation, or edits one. */
export function UserForm({ corpId, user, onClose, onSaved }: Props) {
  const { outcome, again } = useAsk(useMemo(() => () => core.listCorporationRoles(corpId), [corpId]))
  const [error, setError] = useState<string>()
  const texts = core.texts()
  const { form, version } = useKeptForm({
    draft: `user ${user?.id ?? ''} of ${corpId}`,
    version: user?.version,
    mode: 'onTouched',
    resolver: checkedBy((rules, values) =>
      user
        ? rules.checkCorporationUserUpdate(values)
        : rules.checkCorporationUser({ ...values, corp_id: corpId }),
    ),
    defaultValues: inputOf(user),
  })
  const { control, formState } = form
  const roles = outcome?.ok ? outcome.value.map(({ role_id, name }) => ({ value: role_id, label: name })) : []
  const conflict = useConflict({
    form,
    version,
    inputOf,
    fields: {
      first_name: 'First Name',
      last_name: 'Last Name',
      email: 'Email',
      mobile: 'Mobile',
      user_type: 'User Type',
      role_id: {
        label: 'Role',
        show: id => roles.find(({ value }) => value === id)?.label ?? (id && 'Another role'),
      },
    },
  })
  const save = form.handleSubmit(async values => {
    setError(undefined)
    try {
      if (user) {
        await core.updateCorporationUser(user.id, { ...values, version: conflict.version })
        toast.success(texts.users.updated)
      } else {
        await core.createCorporationUser({ ...values, corp_id: corpId })
        toast.success(texts.users.created)
      }
      onSaved()
    } catch (thrown) {
      if (!conflict.refused(thrown)) setError(showRefusal(form, thrown, texts.users.saveFailed))
    }
  })
  const types = useMemo(() => core.corporationUserTypes().map(type => ({ value: type, label: type })), [])
  return (
    <FormModal
      open
      title={user ? 'Edit User' : 'Add User'}
      submit={user ? 'Save changes' : 'Add user'}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => (conflict.round > 0 ? onSaved() : onClose())}
    >
      <Conflict conflict={conflict} />
      {outcome?.ok === false && (
        <div className="mb-4 grid justify-items-start gap-2">
          <Notice kind="error">{sentenceOf(outcome.error, texts.roles.loadFailed)}</Notice>
          <Button onClick={again}>Try Again</Button>
        </div>
      )}
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField control={control} name="first_name" label="First Name" required autoComplete="off" />
        <TextField control={control} name="last_name" label="Last Name" required autoComplete="off" />
        <TextField
          control={control}
          name="email"
          label="Email"
          required
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          control={control}
          name="mobile"
          label="Mobile"
          type="tel"
          inputMode="tel"
          autoComplete="off"
        />
        <SelectField control={control} name="user_type" label="User Type" required choices={types} />
        <SelectField
          control={control}
          name="role_id"
          label="Role"
          required
          choices={roles}
          placeholder={outcome ? 'Choose a role' : 'Loading'}
          help={outcome?.ok && roles.length === 0 ? 'This corporation has no roles yet.' : undefined}
        />
        <div className="md:col-span-2">
          <PasswordField
            control={control}
            name="password"
            label="Password"
            required={!user}
            help={
              user
                ? 'Leave it empty to keep the present one.'
                : site.rules && `At least ${site.rules.passwordMin} characters`
            }
            autoComplete="new-password"
          />
        </div>
      </div>
    </FormModal>
  )
}
