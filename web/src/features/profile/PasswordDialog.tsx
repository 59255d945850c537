import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { core } from '~/core'
import { checkedBy, showRefusal } from '~/lib/form'
import { FormModal } from '~/ui/FormModal'
import { PasswordField } from '~/ui/PasswordField'
import { toast } from '~/ui/Toasts'

/** Chooses a new password. Whether both are the same is said while they are typed. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [error, setError] = useState<string>()
  const form = useForm({
    mode: 'onTouched',
    resolver: checkedBy((rules, values) => rules.checkChangePassword(values)),
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
  })
  const { control, formState, trigger } = form
  const [password, again] = form.watch(['newPassword', 'confirmPassword'])
  useEffect(() => {
    if (password && again) void trigger('confirmPassword')
  }, [password, again, trigger])
  const save = form.handleSubmit(async values => {
    setError(undefined)
    try {
      await core.changePassword(values)
      toast.success(core.texts().profile.passwordChanged)
      onClose()
    } catch (thrown) {
      setError(showRefusal(form, thrown, core.texts().profile.passwordChangeFailed))
    }
  })
  return (
    <FormModal
      open
      title="Change Password"
      description="You stay signed in here; your other devices are signed out."
      submit="Change password"
      busy={formState.isSubmitting}
      off={!formState.isValid}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-2">
        <PasswordField
          control={control}
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
        />
        <PasswordField
          control={control}
          name="newPassword"
          label="New password"
          autoComplete="new-password"
        />
        <PasswordField
          control={control}
          name="confirmPassword"
          label="Confirm password"
          autoComplete="new-password"
        />
      </div>
    </FormModal>
  )
}
