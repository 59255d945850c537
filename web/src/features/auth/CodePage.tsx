import { Field } from '@base-ui/react/field'
import { OTPField } from '@base-ui/react/otp-field'
import { t } from '@lingui/core/macro'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import { type Ban, core } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { loginUrl, paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { Button } from '~/ui/Button'
import { Sentence } from '~/ui/Sentence'
import { toast } from '~/ui/Toasts'
import { AuthLayout } from './AuthLayout'
import { BackLink, MailboxLink } from './AuthLinks'
import { BanDialog, banOf } from './BanDialog'
import { completeSignIn } from './completeSignIn'
import type { pendingLoader } from './loader'
import { CODE_SENT, nextResendAt, pendingLogin } from './pending'
import { useCountdown } from './useCountdown'

const SLOTS = [1, 2, 3, 4, 5, 6]

/** The page for the mailed sign-in code: six digits, typed or pasted. The sixth digit submits the form. */
export function CodePage() {
  useTitle(t`Verify code`)
  const login = useLoaderData<typeof pendingLoader>()
  const navigate = useNavigate()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [ban, setBan] = useState<Ban>()
  const [busy, setBusy] = useState<'verify' | 'resend'>()
  const [resendAt, setResendAt] = useState(login.resendAt)
  const left = useCountdown(resendAt)
  const slots = useRef<HTMLDivElement>(null)

  const focusSlot = (index: number) => slots.current?.querySelectorAll('input')[index]?.focus()
  // The code gets the focus when the page opens, because it is the only input.
  useEffect(() => slots.current?.querySelector('input')?.focus(), [])

  const clearCode = (message?: string) => {
    setError(message)
    setCode('')
    focusSlot(0)
  }
  const verify = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy('verify')
    const form = { email: login.email, otp: code, deviceId: login.deviceId }
    const codeError = core.checkCode(form)[0]
    try {
      if (codeError) {
        setError(textOf(codeError.message))
        toast.error(textOf(codeError.message))
        focusSlot(code.length)
      } else {
        await completeSignIn(await core.verifyOtp(form), login.next, navigate)
      }
    } catch (thrown) {
      const message = messageOf(thrown, textOf(core.texts().auth.codeWrong))
      const banned = banOf(thrown)
      // After a 400 the input is cleared, because the code was wrong. After a network error it stays.
      if (problemOf(thrown)?.status === 400) clearCode(message)
      else if (banned) setBan(banned)
      else setError(message)
    } finally {
      setBusy(undefined)
    }
  }
  const resend = async () => {
    if (busy) return
    setBusy('resend')
    const { email, deviceId, deviceName } = login
    try {
      const message = await core.resendOtp({ email, deviceId, deviceName })
      const resendAt = nextResendAt()
      pendingLogin.save({ ...login, resendAt })
      setResendAt(resendAt)
      // The input is cleared, because the previous code is no longer valid.
      clearCode()
      toast.success(textOf(message), { id: CODE_SENT })
    } catch (thrown) {
      toast.error(messageOf(thrown, t`Failed to resend OTP`))
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <AuthLayout
      title={t`Check your email`}
      subtitle={
        <Sentence text={place => t`We sent a 6-digit code to ${place}.`}>
          <strong className="font-medium text-ink [overflow-wrap:anywhere]">{login.email}</strong>
        </Sentence>
      }
    >
      <form noValidate onSubmit={verify} className="grid gap-2">
        <Field.Root name="otp" invalid={error !== undefined} className="grid gap-1.5">
          <Field.Label className="font-medium">{t`Verification code`}</Field.Label>
          <OTPField.Root
            ref={slots}
            length={SLOTS.length}
            value={code}
            onValueChange={value => {
              setCode(value)
              if (value) setError(undefined)
            }}
            autoSubmit
            readOnly={busy === 'verify'}
            className="grid grid-cols-6 gap-2"
          >
            {SLOTS.map(slot => (
              <OTPField.Input
                key={slot}
                aria-label={slot === 1 ? undefined : t`Character ${slot} of ${SLOTS.length}`}
                className="box h-13! px-0 text-center text-xl! font-semibold tabular-nums"
              />
            ))}
          </OTPField.Root>
          <div className="min-h-4 text-xs" aria-live="polite">
            {error && (
              <Field.Error match className="text-danger">
                {error}
              </Field.Error>
            )}
          </div>
        </Field.Root>
        <Button kind="primary" type="submit" busy={busy === 'verify'} className="w-full">
          {t`Verify Code`}
        </Button>
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="text-muted">{t`No email yet? Check your spam folder.`}</span>
          <Button
            kind="ghost"
            className="-mx-4 tabular-nums"
            ariaDisabled={left > 0}
            busy={busy === 'resend'}
            onClick={() => void resend()}
          >
            {left > 0 ? t`Resend code in ${left} s` : t`Resend code`}
          </Button>
        </div>
      </form>
      <div className="mt-6 grid gap-2 border-t border-line pt-6">
        <MailboxLink />
        <BackLink to={login.next ? loginUrl(login.next) : paths.login}>{t`Back`}</BackLink>
      </div>
      <BanDialog ban={ban} onClose={() => setBan(undefined)} />
    </AuthLayout>
  )
}
