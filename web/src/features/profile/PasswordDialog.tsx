import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { core, type Profile } from '~/core'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { showErrorsOnEnter } from '~/lib/passwordConfirmation'
import { site } from '~/lib/site'
import { NewPasswordFields } from '~/records/NewPasswordFields'
import { FormModal } from '~/ui/FormModal'
import { PasswordField } from '~/ui/PasswordField'
import { toast } from '~/ui/Toasts'

/** The dialog that changes the user's password. While the user types, it checks whether both entries match. */
export function PasswordDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { email, first_name, last_name } = profile
  const known = useMemo(
    () => [site.brand, email, first_name, last_name].filter(Boolean),
    [email, first_name, last_name],
  )
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkChangePassword(values)),
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
  })
  const { control, formState } = form
  const { submit, error } = useSubmit(form, t`Failed to change password`, async values => {
    await core.changePassword(values)
    toast.success(textOf(core.texts().profile.passwordChanged))
    onClose()
  })
  return (
    <FormModal
      title={t`Change Password`}
      description={t`You stay signed in here. Your other devices will be signed out.`}
      submit={t`Change password`}
      busy={formState.isSubmitting}
      ariaDisabled={!formState.isValid}
      dirty={formState.isDirty}
      error={error}
      onSubmit={submit}
      onKeyDown={showErrorsOnEnter(form)}
      onClose={onClose}
    >
      <div className="grid gap-2">
        <PasswordField
          control={control}
          name="currentPassword"
          label={t`Current password`}
          autoComplete="current-password"
        />
        <NewPasswordFields form={form} name="newPassword" confirmation="confirmPassword" known={known} />
      </div>
    </FormModal>
  )
}
