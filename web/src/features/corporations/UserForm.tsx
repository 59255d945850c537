import { useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type CorporationUser, core } from '~/core'
import { useAsk } from '~/lib/ask'
import { checkedBy, showRefusal } from '~/lib/form'
import { isStale, sentenceOf } from '~/lib/problem'
import { site } from '~/lib/site'
import { Button } from '~/ui/Button'
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

/** Adds a user to a corporation, or edits one. */
export function UserForm({ corpId, user, onClose, onSaved }: Props) {
  const { outcome, again } = useAsk(useMemo(() => () => core.listCorporationRoles(corpId), [corpId]))
  const [error, setError] = useState<string>()
  const overwrites = useRef(false)
  const texts = core.texts()
  const form = useForm({
    mode: 'onTouched',
    resolver: checkedBy((rules, values) =>
      user
        ? rules.checkCorporationUserUpdate(values)
        : rules.checkCorporationUser({ ...values, corp_id: corpId }),
    ),
    defaultValues: {
      first_name: user?.first ?? '',
      last_name: user?.last ?? '',
      email: user?.email ?? '',
      mobile: user?.mobile ?? '',
      user_type: user?.type ?? 'User',
      role_id: user?.UserRole?.role_id ?? '',
      password: '',
    },
  })
  const { control, formState } = form
  const save = form.handleSubmit(async values => {
    setError(undefined)
    try {
      if (user) {
        const version = overwrites.current ? undefined : user.version
        await core.updateCorporationUser(user.id, { ...values, version })
        toast.success(texts.users.updated)
      } else {
        await core.createCorporationUser({ ...values, corp_id: corpId })
        toast.success(texts.users.created)
      }
      onSaved()
    } catch (thrown) {
      overwrites.current ||= isStale(thrown)
      setError(showRefusal(form, thrown, texts.users.saveFailed))
    }
  })
  const types = useMemo(() => core.corporationUserTypes().map(type => ({ value: type, label: type })), [])
  const roles = outcome?.ok ? outcome.value.map(({ role_id, name }) => ({ value: role_id, label: name })) : []
  return (
    <FormModal
      open
      title={user ? 'Edit User' : 'Add User'}
      submit={user ? 'Save changes' : 'Add user'}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => (overwrites.current ? onSaved() : onClose())}
    >
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
