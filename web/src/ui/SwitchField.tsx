import { type FieldValues, useController } from 'react-hook-form'
import type { FieldProps } from './FieldFrame'
import { Switch } from './Switch'

type Props<T extends FieldValues> = Pick<FieldProps<T>, 'control' | 'name' | 'label'> & {
  /** Explains what on and off mean. */
  help: string
  /** The switch can't be changed; `help` says why. */
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
