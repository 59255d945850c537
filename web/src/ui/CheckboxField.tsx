import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { Checkbox } from './Checkbox'

type Props<T extends FieldValues> = { control: Control<T>; name: FieldPath<T>; label: string }

/** A box to tick in a form. */
export function CheckboxField<T extends FieldValues>({ control, name, label }: Props<T>) {
  return <Checkbox {...control.register(name)} label={label} />
}
