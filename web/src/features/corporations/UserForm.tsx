import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { type CorporationUser, core } from '~/core'
import { said } from '~/language'
import { useConflict } from '~/records/useConflict'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { passwordHelp } from '~/lib/passwordHelp'
import { messageOf } from '~/lib/problem'
import { useRequest } from '~/lib/request'
import { Button } from '~/ui/Button'
import { Conflict } from '~/records/Conflict'
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
  /** Closed without saving; the list is stale where somebody else has changed the user. */
  onClose: (isStale: boolean) => void
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
  const { outcome, retry } = useRequest(useMemo(() => () => core.listCorporationRoles(corpId), [corpId]))
  const [error, setError] = useState<string>()
  const texts = core.texts()
  const { form, version } = useDraftForm({
    draft: `user ${user?.id ?? ''} of ${corpId}`,
    version: user?.version,
    mode: 'onTouched',
    resolver: createResolver((rules, values) =>
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
      first_name: t`First Name`,
      last_name: t`Last Name`,
      email: t`Email`,
      mobile: t`Mobile`,
      user_type: { label: t`User Type`, show: said },
      role_id: {
        label: t`Role`,
        show: id => roles.find(({ value }) => value === id)?.label ?? (id && t`Another role`),
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
      if (!conflict.handle(thrown)) setError(showErrors(form, thrown, texts.users.saveFailed))
    }
  })
  const types = useMemo(
    () => core.corporationUserTypes().map(type => ({ value: type, label: said(type) })),
    [],
  )
  return (
    <FormModal
      open
      title={user ? t`Edit User` : t`Add User`}
      submit={user ? t`Save changes` : t`Add user`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => onClose(conflict.round > 0)}
    >
      <Conflict conflict={conflict} />
      {outcome?.ok === false && (
        <div className="mb-4 grid justify-items-start gap-2">
          <Notice kind="error">{messageOf(outcome.error, texts.roles.loadFailed)}</Notice>
          <Button onClick={retry}>{t`Try Again`}</Button>
        </div>
      )}
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField control={control} name="first_name" label={t`First Name`} required autoComplete="off" />
        <TextField control={control} name="last_name" label={t`Last Name`} required autoComplete="off" />
        <TextField
          control={control}
          name="email"
          label={t`Email`}
          required
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          control={control}
          name="mobile"
          label={t`Mobile`}
          type="tel"
          inputMode="tel"
          autoComplete="off"
        />
        <SelectField control={control} name="user_type" label={t`User Type`} required choices={types} />
        <SelectField
          control={control}
          name="role_id"
          label={t`Role`}
          required
          choices={roles}
          placeholder={outcome ? t`Choose a role` : t`Loading`}
          help={outcome?.ok && roles.length === 0 ? t`This corporation has no roles yet.` : undefined}
        />
        <div className="md:col-span-2">
          <PasswordField
            control={control}
            name="password"
            label={t`Password`}
            required={!user}
            help={user ? t`Leave empty to keep the current password.` : passwordHelp}
            autoComplete="new-password"
          />
        </div>
      </div>
    </FormModal>
  )
}
