import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import { loadCore } from '~/core'
import { textOf } from '~/language'
import { createResolver, showErrors } from '~/lib/form'
import { useTitle } from '~/lib/title'
import { Button } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { AuthLayout } from './AuthLayout'
import { BackLink, MailboxLink } from './AuthLinks'
import { EmailField } from './EmailField'

type Feedback = { kind: 'success' | 'error'; message: string }

/**
 * The page on which users request a password reset link. It shows the same response whether or not the account exists.
 */
export function ForgotPage() {
  useTitle(t`Forgot password`)
  // The e-mail that the user typed on the login page, which is filled in here.
  const typed: string = useLocation().state?.email ?? ''
  const [feedback, setFeedback] = useState<Feedback>()
  const [fault, setFault] = useState<unknown>()
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver((core, values) => core.checkForgot(values)),
    defaultValues: { email: typed },
  })
  if (fault) throw fault

  const send = async (values: { email: string }) => {
    const core = await loadCore()
    setFeedback(undefined)
    try {
      const message = textOf(await core.forgotPassword(values))
      setFeedback({ kind: 'success', message })
      toast.success(message)
    } catch (error) {
      const message = showErrors(form, error, t`Failed to send the link. Please try again.`)
      if (message) setFeedback({ kind: 'error', message })
    }
  }

  return (
    <AuthLayout title={t`Forgot your password?`} subtitle={t`We'll email you a link to choose a new one.`}>
      <form
        noValidate
        onSubmit={event => void form.handleSubmit(send)(event).catch(setFault)}
        className="grid gap-2"
      >
        {feedback && (
          <Notice kind={feedback.kind} scrollsIntoView className="mb-3">
            {feedback.message}
          </Notice>
        )}
        <EmailField control={form.control} />
        <Button kind="primary" type="submit" busy={form.formState.isSubmitting} className="w-full">
          {t`Reset Password`}
        </Button>
        {feedback?.kind === 'success' && (
          <p className="mt-2 text-muted">
            {t`No email yet? Check your spam folder and the address above, then try again.`}
          </p>
        )}
      </form>
      <div className="mt-6 grid gap-2 border-t border-line pt-6">
        {feedback?.kind === 'success' && <MailboxLink />}
        <BackLink />
      </div>
    </AuthLayout>
  )
}
