import { Field } from '@base-ui/react/field'
import { useEffect, useRef } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { cx } from './cx'

// Browsers report an incomplete date as an empty string. This value makes core reject it with its own message.
const BEGUN = 'begun'

/** Returns the date of a field value, or '' for an incomplete one. */
export const dayIn = (value: string) => (value === BEGUN ? '' : value)

type Props<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  /** Shown below the field unless there is an error. */
  help?: string
  required?: boolean
  className?: string
}

/**
 * A labelled date field with values in `yyyy-MM-dd`. The line below is always present, so that nothing moves when an
 * error appears.
 */
export function DateField<T extends FieldValues>(props: Props<T>) {
  const { control, name, label, help, required, className } = props
  const { field, fieldState } = useController({ control, name })
  const input = useRef<HTMLInputElement>(null)
  // React can't tell an incomplete date from an empty one, so it wouldn't clear an incomplete date.
  useEffect(() => {
    if (field.value === '' && input.current) input.current.value = ''
  }, [field.value])
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const value = currentTarget.validity.badInput ? BEGUN : currentTarget.value
    if (value !== field.value) field.onChange(value)
  }
  return (
    <Field.Root
      name={name}
      invalid={fieldState.invalid}
      touched={fieldState.isTouched}
      dirty={fieldState.isDirty}
      className={cx('grid min-w-0 content-start gap-1.5', className)}
    >
      <Field.Label className={cx('text-sm font-medium', required && 'required')}>{label}</Field.Label>
      <Field.Control
        type="date"
        // Without a maximum, the year field accepts six digits.
        max="9999-12-31"
        ref={(element: HTMLInputElement | null) => {
          input.current = element
          field.ref(element)
        }}
        value={dayIn((field.value as string | undefined) ?? '')}
        onChange={take}
        // Browsers fire no change event while a date is incomplete.
        onKeyUp={take}
        onBlur={event => {
          take(event)
          field.onBlur()
        }}
        aria-required={required}
        className="box tabular-nums"
      />
      <div className="min-h-4 text-xs" aria-live="polite">
        {fieldState.error ? (
          <Field.Error match className="text-danger">
            {fieldState.error.message}
          </Field.Error>
        ) : (
          help && <Field.Description className="text-muted">{help}</Field.Description>
        )}
      </div>
    </Field.Root>
  )
}
