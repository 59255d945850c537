import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { core } from '~/core'
import type { ListsCore } from '~/core/lists'
import { textOf } from '~/language'
import { suggestedCountry } from '~/lib/country'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, useSubmit } from '~/lib/form'
import { passwordHelp } from '~/lib/passwordHelp'
import { site } from '~/lib/site'
import { useTitle } from '~/lib/title'
import { CardFailed, CardLoading } from '~/records/CardState'
import { CountryField } from '~/records/CountryField'
import { EMPTY_COMPANY } from '~/records/company'
import { useLists } from '~/records/useFields'
import { Button } from '~/ui/Button'
import { DraftNotice } from '~/ui/DraftNotice'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { PasswordField } from '~/ui/PasswordField'
import { PasswordStrength } from '~/ui/PasswordStrength'
import { focusPageHeading } from '~/ui/pageHeading'
import { TextField } from '~/ui/TextField'
import { useUnsavedChanges } from '~/ui/unsavedChanges'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { AuthLayout } from './AuthLayout'
import { BackLink, MailboxLink } from './AuthLinks'
import { EmailField } from './EmailField'
import { type SentSignup, SIGNUP_DRAFT, sentSignup } from './tabStorage'

const EMPTY = {
  ...EMPTY_COMPANY,
  first_name: '',
  last_name: '',
  email: '',
  mobile: '',
  password: '',
}

/**
 * The page on which a corporation registers itself. It shows the same response whether or not the e-mail has an
 * account.
 */
export function SignupPage() {
  useTitle(t`Register your company`)
  const { rules, isFailed, retry } = useLists()
  const [sent, setSent] = useState(sentSignup.read)
  useRescuedFocus(!sent, focusPageHeading)
  useRescuedFocus(sent !== undefined, focusPageHeading)
  if (!site.signup) {
    return (
      <AuthLayout title={t`Registration is closed`} subtitle={t`Accounts are created by an administrator.`}>
        <BackLink />
      </AuthLayout>
    )
  }
  if (sent) {
    const { email, message } = sent
    return (
      <AuthLayout
        title={t`Check your email`}
        subtitle={t`Confirm your email address to complete the registration.`}
      >
        <Notice kind="success" className="mb-5">
          {textOf(message)}
        </Notice>
        <div className="grid gap-2 text-muted">
          <p>{t`A platform administrator will then activate your corporation, and we will email you when you can sign in.`}</p>
          <p className="wrap-anywhere">{t`No email to ${email} yet? Check your spam folder and the address.`}</p>
        </div>
        <div className="mt-6 grid gap-2 border-t border-line pt-6">
          <MailboxLink />
          <Button
            className="w-full"
            onClick={() => {
              sentSignup.forget()
              setSent(undefined)
            }}
          >
            {t`Change the address or send again`}
          </Button>
          <BackLink />
        </div>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={t`Register your company`}
      subtitle={t`You confirm your email address, then a platform administrator activates your corporation.`}
    >
      {rules && <SignupForm rules={rules} onSent={setSent} />}
      {!rules && !isFailed && <CardLoading lines={6} />}
      {isFailed && <CardFailed failed={t`Failed to load the form`} onRetry={retry} />}
      <div className="mt-6 grid border-t border-line pt-6">
        <BackLink />
      </div>
    </AuthLayout>
  )
}

function SignupForm({ rules, onSent }: { rules: ListsCore; onSent: (sent: SentSignup) => void }) {
  const [country] = useState(() => suggestedCountry(rules))
  const { form, discardDraft } = useDraftForm({
    draft: SIGNUP_DRAFT,
    mode: 'onTouched',
    resolver: createResolver<typeof EMPTY>((_, values) => rules.checkSignup(values, site.rules)),
    defaultValues: { ...EMPTY, country },
  })
  const { control, formState } = form
  useUnsavedChanges(formState.isDirty)
  const { submit, error } = useSubmit(form, t`Failed to register. Please try again.`, async values => {
    const sent = { email: values.email.trim(), message: await core.signup(values) }
    sentSignup.save(sent)
    onSent(sent)
  })
  const [number, password, first, last, email] = useWatch({
    control,
    name: ['organization_number', 'password', 'first_name', 'last_name', 'email'],
  })
  const known = useMemo(() => [site.brand, first, last, email].filter(Boolean), [first, last, email])
  const hint = core.organizationNumberHint(number)
  const field = (name: keyof typeof EMPTY, label: string, autoComplete: string) => ({
    control,
    name,
    label,
    autoComplete,
    required: true,
  })
  return (
    <>
      <DraftNotice onDiscard={discardDraft} className="mb-6" />
      <form noValidate onSubmit={submit} className="grid gap-6">
        <fieldset className="grid min-w-0 gap-2">
          <legend className="mb-3 font-semibold">{t`Your company`}</legend>
          <TextField
            {...field('organization_number', t`Organization Number`, 'off')}
            placeholder="559360-9844"
            spellCheck={false}
            help={hint && textOf(hint)}
          />
          <TextField {...field('corp_name', t`Company Name`, 'organization')} />
          <TextField {...field('street_address', t`Street Address`, 'address-line1')} />
          <TextField {...field('registered_city', t`Registered City`, 'off')} />
          <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
            <TextField {...field('postal_code', t`Postal Code`, 'postal-code')} />
            <TextField {...field('city', t`City`, 'address-level2')} />
          </div>
          <TextField
            {...field('company_email', t`Company Email`, 'work email')}
            type="email"
            inputMode="email"
            spellCheck={false}
          />
          <TextField
            {...field('company_phone', t`Company Phone Number`, 'work tel')}
            type="tel"
            inputMode="tel"
          />
          <CountryField control={control} name="country" rules={rules} />
        </fieldset>
        <fieldset className="grid min-w-0 gap-2">
          <legend className="mb-3 font-semibold">{t`Your account`}</legend>
          <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
            <TextField {...field('first_name', t`First Name`, 'given-name')} />
            <TextField {...field('last_name', t`Last Name`, 'family-name')} />
          </div>
          <EmailField control={control} />
          <TextField {...field('mobile', t`Phone Number`, 'tel')} type="tel" inputMode="tel" />
          <PasswordField
            control={control}
            name="password"
            label={t`Password`}
            help={passwordHelp}
            autoComplete="new-password"
          />
          <PasswordStrength password={password} known={known} />
        </fieldset>
        <div className="grid gap-3">
          <ErrorNotice scrollsIntoView message={error} />
          <Button kind="primary" type="submit" busy={formState.isSubmitting} className="w-full">
            {t`Register company`}
          </Button>
        </div>
      </form>
    </>
  )
}
