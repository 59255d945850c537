import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { core, type Profile } from '~/core'
import { messagesOf } from '~/core/problem'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { paths } from '~/lib/paths'
import { userTypeNames } from '~/lib/words'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SmallDialogActions } from '~/ui/DialogActions'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { PasswordField } from '~/ui/PasswordField'
import { Sentence } from '~/ui/Sentence'
import { toast } from '~/ui/Toasts'

/** The dialog that deletes the user's own account, once the password is confirmed. It stays open and shows errors. */
export function DeleteDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const navigate = useNavigate()
  const [isLastAdmin, setLastAdmin] = useState(false)
  const type = userTypeNames[profile.type]
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkDeleteAccount(values)),
    defaultValues: { password: '' },
  })
  const { isSubmitting, isValid } = form.formState
  const close = () => !isSubmitting && onClose()
  const { submit, error } = useSubmit(form, t`Failed to delete account`, async values => {
    setLastAdmin(false)
    try {
      await core.deleteAccount(values)
    } catch (thrown) {
      const { lastAdmin, lastSuperAdmin } = core.texts().auth
      const code = messagesOf(thrown)[0]?.code
      if (code !== lastAdmin.code && code !== lastSuperAdmin.code) throw thrown
      setLastAdmin(true)
      return
    }
    toast.success(textOf(core.texts().profile.deleted))
    await navigate(paths.login, { replace: true })
  })
  return (
    <Dialog
      open
      size="small"
      title={t`Delete Account`}
      description={
        <Sentence text={place => t`This deletes the account ${place}.`}>
          <strong className="font-medium text-ink [overflow-wrap:anywhere]">{profile.email}</strong>
        </Sentence>
      }
      onClose={close}
    >
      <Notice kind="warning" className="mt-4">
        {t`This action cannot be undone. All your data will be permanently deleted.`}{' '}
        {t`Records, comments and history entries stay in the corporation, without your name.`}
      </Notice>
      {/* Enter does nothing: a dangerous button isn't the default button of its form. */}
      <form noValidate onSubmit={event => event.preventDefault()} className="mt-4">
        <PasswordField
          control={form.control}
          name="password"
          label={t`Your password`}
          autoComplete="current-password"
        />
        <ErrorNotice scrollsIntoView className="mt-4" message={error} />
        {isLastAdmin && (
          <Notice kind="error" scrollsIntoView className="mt-4">
            {t`You are the last active ${type}. Give another user this type first.`}{' '}
            <Link to={paths.users} className="underline">
              {t`Go to users`}
            </Link>
          </Notice>
        )}
        <SmallDialogActions>
          <Button
            kind="danger"
            busy={isSubmitting}
            ariaDisabled={!isValid}
            onClick={event => void submit(event)}
          >
            {t`Delete my account`}
          </Button>
          <Button kind="primary" onClick={close}>
            {t`Keep my account`}
          </Button>
        </SmallDialogActions>
      </form>
    </Dialog>
  )
}
