import { t } from '@lingui/core/macro'
import { ArrowLeft, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { loadCore } from '~/core'
import { createResolver, showErrors } from '~/lib/form'
import { paths } from '~/lib/paths'
import { site } from '~/lib/site'
import { useTitle } from '~/lib/title'
import { Button, buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { AuthLayout } from './AuthLayout'

type Feedback = { kind: 'success' | 'error'; message: string }

/** Requests a password reset link. The response is the same whether or not the account exists. */
export function ForgotPage() {
  useTitle(t`Forgot password`)
  // Prefilled with the e-mail typed on the login page.
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
      const { message } = await core.forgotPassword(values)
      setFeedback({ kind: 'success', message })
      toast.success(message)
    } catch (error) {
      const message = showErrors(form, error, core.texts().auth.forgotFailed)
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
        <TextField
          control={form.control}
          name="email"
          label={t`Email`}
          type="email"
          inputMode="email"
          autoComplete="username"
          spellCheck={false}
          required
        />
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
        {feedback?.kind === 'success' && site.mailbox && (
          <a
            href={site.mailbox}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('secondary', 'w-full')}
          >
            {t`Demo: open the mailbox`}
            <ExternalLink aria-hidden className="size-4" />
          </a>
        )}
        <Link to={paths.login} className={buttonClass('ghost', 'w-full')}>
          <ArrowLeft aria-hidden className="size-4" />
          {t`Back to sign in`}
        </Link>
      </div>
    </AuthLayout>
  )
}
