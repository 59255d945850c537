import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import type { Corporation } from '~/core'
import { passwordHelp } from '~/lib/passwordHelp'
import { site } from '~/lib/site'
import { EmailField, PhoneField } from '~/records/fields'
import { PasswordField } from '~/ui/PasswordField'
import { PasswordStrength } from '~/ui/PasswordStrength'
import { TextField } from '~/ui/TextField'
import { FormSection } from './FormSection'
import type { CorporationControl, CorporationValues } from './form'

/** The form fields of a new corporation's first Admin. */
export function AdminFields({ control }: { control: CorporationControl }) {
  const { first_name, last_name, email, password } = useWatch({ control, name: 'admin_data' })
  const known = useMemo(
    () => [site.brand, first_name, last_name, email].filter(Boolean),
    [first_name, last_name, email],
  )
  const field = <N extends keyof CorporationValues['admin_data']>(name: N) => ({
    control,
    name: `admin_data.${name}` as const,
    required: true,
  })
  return (
    <FormSection
      title={t`Administrator`}
      help={t`The contact person becomes the corporation's Admin and signs in with this email.`}
    >
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField {...field('first_name')} label={t`First Name`} autoComplete="off" />
        <TextField {...field('last_name')} label={t`Last Name`} autoComplete="off" />
        <EmailField {...field('email')} label={t`Email`} className="md:col-span-2" />
        <div>
          <PasswordField
            {...field('password')}
            label={t`Password`}
            help={passwordHelp}
            autoComplete="new-password"
          />
          <div className="mt-2">
            <PasswordStrength password={password} known={known} />
          </div>
        </div>
        <PhoneField {...field('phone')} label={t`Phone Number`} />
      </div>
    </FormSection>
  )
}

/** Shows a stored corporation's first administrator, who is edited on the page of its users. */
export function AdminContact({ corporation }: { corporation: Corporation }) {
  const values: [string, string][] = [
    [t`Name`, corporation.corp_contact_name],
    [t`Email`, corporation.corp_contact_email],
  ]
  return (
    <FormSection
      title={t`Administrator`}
      help={t`The corporation's first administrator. Users are managed on the corporation's page.`}
    >
      <div className="mb-2 grid gap-4 md:grid-cols-2">
        {values.map(([label, value]) => (
          <label key={label} className="grid min-w-0 gap-1.5 text-sm font-medium">
            {label}
            <input disabled value={value} className="box font-normal" />
          </label>
        ))}
      </div>
    </FormSection>
  )
}
