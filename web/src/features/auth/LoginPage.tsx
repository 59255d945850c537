import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { type Ban, loadCore } from '~/core'
import { deviceId, deviceName } from '~/lib/device'
import { checkedBy } from '~/lib/form'
import { paths } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { useTitle } from '~/lib/title'
import { Button } from '~/ui/Button'
import { CheckboxField } from '~/ui/CheckboxField'
import { PasswordField } from '~/ui/PasswordField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { AuthLayout } from './AuthLayout'
import { BanDialog } from './BanDialog'
import { enter } from './enter'
import { pendingLogin } from './pending'

const device = () => ({ deviceId: deviceId(), deviceName: deviceName() })

/** Signing in with e-mail and password; what follows is the code page, or the dashboard on a trusted device. */
export function LoginPage() {
  useTitle('Sign in')
  const navigate = useNavigate()
  const next = useSearchParams()[0].get('next')
  const [ban, setBan] = useState<Ban>()
  const [fault, setFault] = useState<unknown>()
  const form = useForm({
    mode: 'onTouched',
    resolver: checkedBy((core, values) => core.checkLogin({ ...values, ...device() })),
    defaultValues: { email: '', password: '', rememberMe: false },
  })
  // The rules could not be loaded; the page around says what to do.
  if (fault) throw fault

  const signIn = async (values: { email: string; password: string; rememberMe: boolean }) => {
    const core = await loadCore()
    try {
      const answer = await core.login({ ...values, ...device() })
      if (!answer.requiresVerification) return await enter(answer, next, navigate)
      pendingLogin.keep({ email: values.email.trim(), ...device(), next })
      toast.success(answer.message)
      await navigate(paths.code)
    } catch (error) {
      const problem = problemOf(error)
      if (problem?.status === 403 && problem.data?.isBanned) setBan(problem.data)
      else toast.error(problem?.message || core.texts().auth.loginFailed)
    }
  }
  const refuse = async () => toast.error((await loadCore()).texts().auth.invalidInputs)

  return (
    <AuthLayout title="Welcome back" subtitle="Sign in to pick up where you left off.">
      <form
        noValidate
        onSubmit={event => void form.handleSubmit(signIn, refuse)(event).catch(setFault)}
        className="grid gap-2"
      >
        <TextField
          control={form.control}
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          spellCheck={false}
          required
        />
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="current-password"
        />
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
          <CheckboxField control={form.control} name="rememberMe" label="Remember me" />
          <Link
            to={paths.forgotPassword}
            className="inline-flex min-h-9 items-center rounded font-medium text-accent-text hover:underline touch:min-h-11"
          >
            Forgot password?
          </Link>
        </div>
        <Button kind="primary" type="submit" busy={form.formState.isSubmitting} className="w-full">
          Sign in
        </Button>
      </form>
      <BanDialog ban={ban} onClose={() => setBan(undefined)} />
    </AuthLayout>
  )
}
