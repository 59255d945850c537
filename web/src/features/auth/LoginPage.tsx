import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { type Ban, type Core, loadCore } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { sentencesOf, textOf } from '~/language'
import { deviceId, deviceName } from '~/lib/device'
import { createResolver } from '~/lib/form'
import { paths } from '~/lib/paths'
import { site } from '~/lib/site'
import { useTitle } from '~/lib/title'
import { Button, buttonClass } from '~/ui/Button'
import { CheckboxField } from '~/ui/CheckboxField'
import { ErrorNotice } from '~/ui/Notice'
import { PasswordField } from '~/ui/PasswordField'
import { toast } from '~/ui/Toasts'
import { AuthLayout } from './AuthLayout'
import { BanDialog, banOf } from './BanDialog'
import { completeSignIn } from './completeSignIn'
import { EmailField } from './EmailField'
import { CODE_SENT, nextResendAt, pendingLogin } from './pending'
import { sessionEnd } from './sessionEnd'
import { pageAfterSignIn } from './tabStorage'
import { useCore } from './useCore'
import { useFollowSignIn } from './useFollowSignIn'

const linkClass =
  'inline-flex min-h-9 items-center rounded font-medium text-accent-text hover:underline touch:min-h-touch'

const device = () => ({ deviceId: deviceId(), deviceName: deviceName() })

/**
 * Returns the message for a failed sign-in with a provider. `federated` is the outcome in the URL's query; null for
 * none.
 */
function federatedMessage(federated: string | null, core: Core | undefined): string | undefined {
  if (federated === null || !core) return undefined
  if (federated === 'off') return textOf(core.texts().auth.federatedOff)
  return federated === 'unknown'
    ? t`No matching account found. Sign in with your password. Administrators must first connect the provider in Settings.`
    : t`Sign-in with the provider failed. Please try again.`
}

/**
 * The page for sign-in with e-mail and password. It leads to the code page; on a trusted device, directly into the app.
 */
export function LoginPage() {
  useTitle(t`Sign in`)
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const next = params.get('next')
  const core = useCore()
  const formElement = useRef<HTMLFormElement>(null)
  useFollowSignIn(formElement, next)
  const [hasSessionEnded] = useState(sessionEnd.isMarked)
  useEffect(() => sessionEnd.forget, [])
  const [federated, setFederated] = useState(params.get('federated'))
  const [loginError, setLoginError] = useState<string>()
  const [ban, setBan] = useState<Ban>()
  const [fault, setFault] = useState<unknown>()
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver((core, values) => core.checkLogin({ ...values, ...device() })),
    defaultValues: { email: '', password: '', rememberMe: false },
  })
  const email = useWatch({ control: form.control, name: 'email' })
  // Removes `federated` from the URL, so that a reload or a bookmark doesn't show the message again.
  const hasOutcome = params.has('federated')
  useEffect(() => {
    if (!hasOutcome) return
    const rest = (all: URLSearchParams) =>
      new URLSearchParams([...all].filter(([name]) => name !== 'federated'))
    setParams(rest, { replace: true })
  }, [hasOutcome, setParams])
  // If core failed to load, the error is thrown, so that the router shows the error page.
  if (fault) throw fault

  const signIn = async (values: { email: string; password: string; rememberMe: boolean }) => {
    const core = await loadCore()
    setLoginError(undefined)
    setFederated(null)
    // Preloads the code page while the server checks the password. If this fails, the navigation loads it again.
    import('./CodePage').catch(() => undefined)
    try {
      const response = await core.login({ ...values, ...device() })
      if (!response.requiresVerification) return await completeSignIn(response, next, navigate)
      pendingLogin.save({ email: values.email.trim(), ...device(), next, resendAt: nextResendAt() })
      toast.success(sentencesOf(response.messages), { id: CODE_SENT })
      await navigate(paths.code)
    } catch (error) {
      const banned = banOf(error)
      if (banned) setBan(banned)
      else setLoginError(messageOf(error, t`Something went wrong while logging in`))
      if (problemOf(error)?.status === 401) form.setFocus('password', { shouldSelect: true })
    }
  }
  const reportInvalid = () => toast.error(t`Invalid Inputs!`)

  const notice = loginError ?? federatedMessage(federated, core)
  return (
    <AuthLayout title={t`Welcome back`} subtitle={t`Sign in to pick up where you left off.`}>
      <ErrorNotice
        className="mb-5"
        message={hasSessionEnded && core && !notice ? textOf(core.texts().general.sessionOver) : undefined}
      />
      <ErrorNotice scrollsIntoView className="mb-5" message={notice} />
      <form
        ref={formElement}
        noValidate
        onSubmit={event => void form.handleSubmit(signIn, reportInvalid)(event).catch(setFault)}
        className="grid gap-2"
      >
        <EmailField control={form.control} />
        <PasswordField
          control={form.control}
          name="password"
          label={t`Password`}
          autoComplete="current-password"
        />
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
          <CheckboxField control={form.control} name="rememberMe" label={t`Remember me`} />
          <Link to={paths.forgotPassword} state={{ email }} className={linkClass}>
            {t`Forgot password?`}
          </Link>
        </div>
        <Button kind="primary" type="submit" busy={form.formState.isSubmitting} className="w-full">
          {t`Sign in`}
        </Button>
      </form>
      {site.provider && (
        <>
          <div aria-hidden className="my-5 flex items-center gap-3 text-xs text-muted">
            <span className="h-px grow bg-line" />
            {t`or`}
            <span className="h-px grow bg-line" />
          </div>
          <a
            href={core && `${core.federatedPath()}?${new URLSearchParams({ deviceName: deviceName() })}`}
            onClick={() => (next === null ? pageAfterSignIn.forget() : pageAfterSignIn.save(next))}
            className={buttonClass('secondary', 'w-full')}
          >
            {t`Continue with ${site.provider}`}
          </a>
        </>
      )}
      {site.signup && (
        <p className="mt-5 flex flex-wrap items-center justify-center gap-x-2 text-muted">
          {t`No account yet?`}
          <Link to={paths.signup} className={linkClass}>
            {t`Register your company`}
          </Link>
        </p>
      )}
      <BanDialog ban={ban} onClose={() => setBan(undefined)} />
    </AuthLayout>
  )
}
