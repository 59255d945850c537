import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { core, type Profile } from '~/core'
import { createResolver, useSubmit } from '~/lib/form'
import { showErrorsOnEnter, usePasswordConfirmation } from '~/lib/passwordConfirmation'
import { passwordHelp } from '~/lib/passwordHelp'
import { site } from '~/lib/site'
import { FormModal } from '~/ui/FormModal'
import { PasswordField } from '~/ui/PasswordField'
import { PasswordStrength } from '~/ui/PasswordStrength'
import { toast } from '~/ui/Toasts'

/** Changes the password. Whether both entries match is checked while typing. */
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
  const { newPassword = '', confirmPassword } = useWatch({ control })
  usePasswordConfirmation(form, 'newPassword', 'confirmPassword')
  const { submit, error } = useSubmit(form, core.texts().profile.passwordChangeFailed, async values => {
    await core.changePassword(values)
    toast.success(core.texts().profile.passwordChanged)
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
        <PasswordField
          control={control}
          name="newPassword"
          label={t`New password`}
          help={passwordHelp}
          autoComplete="new-password"
        />
        <PasswordStrength password={newPassword} known={known} />
        <PasswordField
          control={control}
          name="confirmPassword"
          label={t`Confirm password`}
          help={
            confirmPassword && confirmPassword === newPassword ? core.texts().auth.passwordsMatch : undefined
          }
          autoComplete="new-password"
        />
      </div>
    </FormModal>
  )
}
