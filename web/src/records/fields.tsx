import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { TextField } from '~/ui/TextField'

type Props<T extends FieldValues> = ComponentProps<typeof TextField<T>>

// Autocomplete is off in forms of records: the browser would suggest the user's own details.

export function EmailField<T extends FieldValues>(props: Props<T>) {
  return <TextField type="email" inputMode="email" autoComplete="off" spellCheck={false} {...props} />
}

export function WebsiteField<T extends FieldValues>(props: Props<T>) {
  return <TextField inputMode="url" autoComplete="off" spellCheck={false} {...props} />
}

export function PhoneField<T extends FieldValues>(props: Props<T>) {
  return <TextField type="tel" inputMode="tel" autoComplete="off" {...props} />
}
