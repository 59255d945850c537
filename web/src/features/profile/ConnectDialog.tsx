import { t } from '@lingui/core/macro'
import { useForm } from 'react-hook-form'
import { core } from '~/core'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { FormModal } from '~/ui/FormModal'
import { PasswordField } from '~/ui/PasswordField'

/** The dialog that asks for the password before the user's account is connected to an OpenID Connect provider. */
export function ConnectDialog({ provider, onClose }: { provider: string; onClose: () => void }) {
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkConnect(values)),
    defaultValues: { currentPassword: '' },
  })
  const { isSubmitting, isDirty } = form.formState
  const { submit, error } = useSubmit(form, textOf(core.texts().auth.connectFailed), async values => {
    const { url } = await core.connectProvider(values)
    // Resets the form, so that leaving the page doesn't ask about unsaved changes.
    form.reset()
    setTimeout(() => location.assign(url))
  })
  return (
    <FormModal
      title={t`Connect ${provider}`}
      description={t`You'll continue to ${provider} and then return here.`}
      submit={t`Continue`}
      busy={isSubmitting}
      dirty={isDirty}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordField
        control={form.control}
        name="currentPassword"
        label={t`Current password`}
        autoComplete="current-password"
      />
    </FormModal>
  )
}
