import { useId } from 'react'
import { type FieldValues, get, useFormState } from 'react-hook-form'
import { Checkbox } from './Checkbox'
import type { FieldProps } from './FieldFrame'

/** A checkbox bound to a form field. */
export function CheckboxField<T extends FieldValues>(props: Omit<FieldProps<T>, 'help' | 'className'>) {
  const { control, name, label, required } = props
  const { errors } = useFormState({ control, name, exact: true })
  const { message } = (get(errors, name) ?? {}) as { message?: string }
  const id = useId()
  return (
    <div>
      <Checkbox
        {...control.register(name)}
        label={label}
        aria-required={required}
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? id : undefined}
      />
      <div className="text-xs text-danger" aria-live="polite">
        {message && <p id={id}>{message}</p>}
      </div>
    </div>
  )
}
