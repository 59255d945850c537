import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { passwordHelp } from '~/lib/passwordHelp'
import { site } from '~/lib/site'
import { EmailField, PhoneField } from '~/records/fields'
import { PasswordField } from '~/ui/PasswordField'
import { PasswordStrength } from '~/ui/PasswordStrength'
import { TextField } from '~/ui/TextField'
import { FormSection } from './FormSection'
import type { CorporationControl, CorporationValues } from './form'

type Props = {
  control: CorporationControl
  /** The corporation exists already, so the fields are disabled: its users are edited on a page of their own. */
  disabled?: boolean
}

/** The form fields of a new corporation's first Admin. */
export function AdminFields({ control, disabled = false }: Props) {
  const { first_name, last_name, email, password } = useWatch({ control, name: 'admin_data' })
  const known = useMemo(
    () => [site.brand, first_name, last_name, email].filter(Boolean),
    [first_name, last_name, email],
  )
  const field = <N extends keyof CorporationValues['admin_data']>(name: N) => ({
    control,
    name: `admin_data.${name}` as const,
    required: !disabled,
  })
  return (
    <FormSection
      title={t`Administrator`}
      help={
        disabled
          ? t`These details were set at registration. To manage users, open the corporation.`
          : t`The contact person becomes the corporation's Admin and signs in with this email.`
      }
    >
      <fieldset disabled={disabled} className="grid min-w-0 gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField {...field('first_name')} label={t`First Name`} autoComplete="off" />
        <TextField {...field('last_name')} label={t`Last Name`} autoComplete="off" />
        <EmailField {...field('email')} label={t`Email`} className="md:col-span-2" />
        <div>
          <PasswordField
            {...field('password')}
            label={t`Password`}
            help={disabled ? undefined : passwordHelp}
            autoComplete="new-password"
          />
          {!disabled && (
            <div className="mt-2">
              <PasswordStrength password={password} known={known} />
            </div>
          )}
        </div>
        <PhoneField {...field('phone')} label={t`Phone Number`} />
      </fieldset>
    </FormSection>
  )
}
