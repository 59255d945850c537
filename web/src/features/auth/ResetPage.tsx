import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLoaderData, useNavigate } from 'react-router'
import { core } from '~/core'
import { messagesOf } from '~/core/problem'
import { textOf } from '~/language'
import { createResolver, showErrors } from '~/lib/form'
import { showErrorsOnEnter } from '~/lib/passwordConfirmation'
import { paths } from '~/lib/paths'
import { site } from '~/lib/site'
import { useTitle } from '~/lib/title'
import { NewPasswordFields } from '~/records/NewPasswordFields'
import { Button, buttonClass } from '~/ui/Button'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { AuthLayout } from './AuthLayout'
import { BackLink } from './AuthLinks'
import type { resetLoader } from './loader'
import { resetToken } from './tabStorage'

const known = [site.brand]
const focus = (link: HTMLAnchorElement | null) => link?.focus()

/** The page of a reset link, on which the user sets a new password. */
export function ResetPage() {
  useTitle(t`Set new password`)
  const token = useLoaderData<typeof resetLoader>()
  const [isLinkInvalid, setLinkInvalid] = useState(token === null)
  return (
    <AuthLayout
      title={t`Set a new password`}
      subtitle={isLinkInvalid ? t`You need a valid reset link.` : t`Use it the next time you sign in.`}
    >
      {token === null || isLinkInvalid ? (
        <>
          <Notice kind="error" className="mb-5">
            {textOf(core.texts().auth.resetLinkInvalid)}
          </Notice>
          <Link ref={focus} to={paths.forgotPassword} className={buttonClass('primary', 'w-full')}>
            {t`Request a new link`}
          </Link>
        </>
      ) : (
        <ResetForm token={token} onLinkInvalid={() => setLinkInvalid(true)} />
      )}
      <div className="mt-6 grid border-t border-line pt-6">
        <BackLink />
      </div>
    </AuthLayout>
  )
}

type Props = {
  token: string
  /** Called if the server rejects the reset link: it was already used, has expired, or is invalid. */
  onLinkInvalid: () => void
}

function ResetForm({ token, onLinkInvalid }: Props) {
  const navigate = useNavigate()
  const [saveError, setSaveError] = useState<string>()
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkReset({ ...values, token })),
    defaultValues: { password: '', confirmPassword: '' },
  })
  const { isSubmitting, isValid } = form.formState
  const save = async (values: { password: string; confirmPassword: string }) => {
    setSaveError(undefined)
    try {
      const message = await core.resetPassword({ ...values, token })
      resetToken.forget()
      // Forgets the tokens, because the server has ended all sessions of the account.
      core.clearSession()
      toast.success(textOf(message))
      await navigate(paths.login, { replace: true })
    } catch (error) {
      if (messagesOf(error)[0]?.code === core.texts().auth.resetLinkInvalid.code) {
        resetToken.forget()
        onLinkInvalid()
      } else {
        setSaveError(showErrors(form, error, t`Failed to set the new password. Please try again.`))
      }
    }
  }
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(save)}
      onKeyDown={showErrorsOnEnter(form)}
      className="grid gap-2"
    >
      <ErrorNotice scrollsIntoView className="mb-3" message={saveError} />
      <NewPasswordFields form={form} name="password" confirmation="confirmPassword" known={known} />
      <Button
        kind="primary"
        type="submit"
        ariaDisabled={!isValid}
        busy={isSubmitting}
        className="mt-2 w-full"
      >
        {t`Set New Password`}
      </Button>
    </form>
  )
}
