import { Field } from '@base-ui/react/field'
import { useEffect, useRef } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { cx } from './cx'

// A date that is begun and isn't whole is an empty text to the browser. Core refuses this one, in its own words.
const BEGUN = 'begun'

/** The day that a field holds, as it reads: a begun one is none yet. */
export const dayIn = (value: string) => (value === BEGUN ? '' : value)

type Props<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  /** Stands under the field until an error takes its place. */
  help?: string
  required?: boolean
  className?: string
}

/** A labelled day, `yyyy-MM-dd`. The line under it is always there, so that nothing jumps when an error shows. */
export function DateField<T extends FieldValues>(props: Props<T>) {
  const { control, name, label, help, required, className } = props
  const { field, fieldState } = useController({ control, name })
  const input = useRef<HTMLInputElement>(null)
  // To React, a begun date is as empty as none; what is emptied from outside would stay begun.
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
        // Beyond it the year would take six digits.
        max="9999-12-31"
        ref={(element: HTMLInputElement | null) => {
          input.current = element
          field.ref(element)
        }}
        value={dayIn((field.value as string | undefined) ?? '')}
        onChange={take}
        // No change is told of while a date is begun.
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
