import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { passwordHelp } from '~/lib/passwordHelp'
import { site } from '~/lib/site'
import { PasswordField } from '~/ui/PasswordField'
import { PasswordStrength } from '~/ui/PasswordStrength'
import { TextField } from '~/ui/TextField'
import { FormSection } from './FormSection'
import type { CorporationControl } from './form'

/** Who administers a new corporation. */
export function AdminFields({ control }: { control: CorporationControl }) {
  const { first_name, last_name, email, password } = useWatch({ control, name: 'admin_data' })
  const known = useMemo(
    () => [site.brand, first_name, last_name, email].filter(Boolean),
    [first_name, last_name, email],
  )
  return (
    <FormSection
      title={t`Administrator`}
      help={t`The contact person becomes the corporation's Admin, and signs in with this email.`}
    >
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField
          control={control}
          name="admin_data.first_name"
          label={t`First Name`}
          required
          autoComplete="off"
        />
        <TextField
          control={control}
          name="admin_data.last_name"
          label={t`Last Name`}
          required
          autoComplete="off"
        />
        <TextField
          control={control}
          name="admin_data.email"
          label={t`Email`}
          required
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          className="md:col-span-2"
        />
        <div>
          <PasswordField
            control={control}
            name="admin_data.password"
            label={t`Password`}
            help={passwordHelp}
            autoComplete="new-password"
          />
          <div className="mt-2">
            <PasswordStrength password={password} known={known} />
          </div>
        </div>
        <TextField
          control={control}
          name="admin_data.phone"
          label={t`Phone Number`}
          required
          type="tel"
          inputMode="tel"
          autoComplete="off"
        />
      </div>
    </FormSection>
  )
}
