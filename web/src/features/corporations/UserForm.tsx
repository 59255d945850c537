import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { type CorporationUser, core } from '~/core'
import { messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { useRequest } from '~/lib/request'
import { site } from '~/lib/site'
import { roleName, userTypeNames } from '~/lib/words'
import { EmailField, PhoneField, UserPasswordField } from '~/records/fields'
import { RecordForm, useRecordForm } from '~/records/RecordForm'
import { type Loaded, withRules } from '~/records/RulesForm'
import type { FormDialog } from '~/records/useDialogs'
import { Button } from '~/ui/Button'
import { choicesOf } from '~/ui/choices'
import { Notice } from '~/ui/Notice'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { userDraftOf } from './kind'

const inputOf = (user?: CorporationUser) => ({
  first_name: user?.first ?? '',
  last_name: user?.last ?? '',
  email: user?.email ?? '',
  mobile: user?.mobile ?? '',
  user_type: user?.type ?? ('User' as const),
  role_id: user?.UserRole?.role_id ?? '',
  password: '',
})

type Props = FormDialog<CorporationUser> & { corpId: string }

const titlesOf = (user?: object) =>
  user ? { title: t`Edit user`, submit: t`Save changes` } : { title: t`Add User`, submit: t`Add user` }

/** The form that creates or edits a user of a corporation. */
export const UserForm = withRules(LoadedForm, titlesOf)

function LoadedForm({ corpId, record: user, onSaved, rules, dialog }: Loaded<Props>) {
  const { outcome, retry } = useRequest(useMemo(() => () => core.listCorporationRoles(corpId), [corpId]))
  const roles = outcome?.ok
    ? outcome.value.map(({ role_id, name }) => ({ value: role_id, label: roleName(name) }))
    : []
  const state = useRecordForm({
    draft: userDraftOf(corpId, user?.id),
    record: user,
    inputOf,
    labels: {
      first_name: t`First Name`,
      last_name: t`Last Name`,
      email: t`Email`,
      mobile: t`Mobile`,
      user_type: { label: t`User Type`, show: type => userTypeNames[type] },
      role_id: {
        label: t`Role`,
        show: id => roles.find(({ value }) => value === id)?.label ?? (id && t`Another role`),
      },
    },
    check: (_, values) =>
      user
        ? rules.checkCorporationUserUpdate(values, site.rules)
        : rules.checkCorporationUser({ ...values, corp_id: corpId }, site.rules),
    save: (values, version): Promise<unknown> =>
      user
        ? core.updateCorporationUser(user.id, { ...values, version })
        : core.createCorporationUser({ ...values, corp_id: corpId }),
    texts: {
      created: textOf(core.recordTexts('users').created),
      updated: textOf(core.recordTexts('users').updated),
      createFailed: t`Failed to create or update user`,
      updateFailed: t`Failed to create or update user`,
    },
    onSaved,
  })
  const { form, field } = state
  return (
    <RecordForm state={state} {...dialog}>
      {outcome?.ok === false && (
        <div className="mb-4 grid justify-items-start gap-2">
          <Notice kind="error">{messageOf(outcome.error, t`Failed to load roles`)}</Notice>
          <Button onClick={retry}>{t`Try Again`}</Button>
        </div>
      )}
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField {...field('first_name')} required autoComplete="off" />
        <TextField {...field('last_name')} required autoComplete="off" />
        <EmailField {...field('email')} required />
        <PhoneField {...field('mobile')} />
        <SelectField
          {...field('user_type')}
          required
          choices={choicesOf(userTypeNames, core.corporationUserTypes())}
        />
        <SelectField
          {...field('role_id')}
          required
          choices={roles}
          placeholder={outcome ? t`Choose a role` : t`Loading`}
          help={outcome?.ok && roles.length === 0 ? t`This corporation has no roles yet.` : undefined}
        />
        <div className="md:col-span-2">
          <UserPasswordField control={form.control} name="password" label={t`Password`} isNew={!user} />
        </div>
      </div>
    </RecordForm>
  )
}
