import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { passwordHelp } from '~/lib/passwordHelp'
import { PasswordField } from '~/ui/PasswordField'
import { TextField } from '~/ui/TextField'

type Props<T extends FieldValues> = ComponentProps<typeof TextField<T>>

// In forms of records, autocomplete is off, because the browser would suggest the user's own e-mail or phone number.

export function EmailField<T extends FieldValues>(props: Props<T>) {
  return <TextField type="email" inputMode="email" autoComplete="off" spellCheck={false} {...props} />
}

export function WebsiteField<T extends FieldValues>(props: Props<T>) {
  return <TextField inputMode="url" autoComplete="off" spellCheck={false} {...props} />
}

export function PhoneField<T extends FieldValues>(props: Props<T>) {
  return <TextField type="tel" inputMode="tel" autoComplete="off" {...props} />
}

type PasswordProps<T extends FieldValues> = Omit<ComponentProps<typeof PasswordField<T>>, 'autoComplete'> & {
  isNew: boolean
}

/**
 * The password in the form of another user: required for a new user; otherwise an empty input keeps the current
 * password.
 */
export function UserPasswordField<T extends FieldValues>({ isNew, ...props }: PasswordProps<T>) {
  const help = isNew ? passwordHelp : t`Leave empty to keep the current password.`
  return <PasswordField {...props} required={isNew} help={help} autoComplete="new-password" />
}
