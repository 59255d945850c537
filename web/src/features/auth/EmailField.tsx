import { t } from '@lingui/core/macro'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { TextField } from '~/ui/TextField'

/** The input for the field `email` of a sign-in form, which password managers fill in. */
export function EmailField<T extends FieldValues & { email: string }>({ control }: { control: Control<T> }) {
  return (
    <TextField
      control={control}
      name={'email' as FieldPath<T>}
      label={t`Email`}
      type="email"
      inputMode="email"
      autoComplete="username"
      spellCheck={false}
      required
    />
  )
}
