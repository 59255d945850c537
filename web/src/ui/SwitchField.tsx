import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Switch } from './Switch'

type Props<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  /** Explains what on and off mean. */
  help: string
  /** Can't be changed; `help` says why. */
  ariaDisabled?: boolean
}

/** A switch bound to a form field. */
export function SwitchField<T extends FieldValues>({ control, name, ...props }: Props<T>) {
  const { field } = useController({ control, name })
  return (
    <Switch
      {...props}
      ref={field.ref}
      checked={field.value === true}
      onChange={field.onChange}
      onBlur={field.onBlur}
    />
  )
}
