import { t } from '@lingui/core/macro'
import { type FieldPath, type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form'
import { usePasswordConfirmation } from '~/lib/passwordConfirmation'
import { passwordHelp } from '~/lib/passwordHelp'
import { PasswordField } from '~/ui/PasswordField'
import { PasswordStrength } from '~/ui/PasswordStrength'

type Props<T extends FieldValues> = {
  form: UseFormReturn<T>
  /** Name of the form field that contains the password. */
  name: FieldPath<T>
  /** Name of the form field in which the user repeats the password. */
  confirmation: FieldPath<T>
  /** Words that make a password that contains them weak, such as the product's name. */
  known: string[]
}

/** The two fields of a new password. While the user types, they show its strength and whether both entries match. */
export function NewPasswordFields<T extends FieldValues>({ form, name, confirmation, known }: Props<T>) {
  const { control } = form
  const password: string = useWatch({ control, name })
  const repeated: string = useWatch({ control, name: confirmation })
  usePasswordConfirmation(form, name, confirmation)
  return (
    <>
      <PasswordField
        control={control}
        name={name}
        label={t`New password`}
        help={passwordHelp}
        autoComplete="new-password"
      />
      <PasswordStrength password={password} known={known} />
      <PasswordField
        control={control}
        name={confirmation}
        label={t`Confirm password`}
        help={repeated && repeated === password ? t`The passwords match` : undefined}
        autoComplete="new-password"
      />
    </>
  )
}
