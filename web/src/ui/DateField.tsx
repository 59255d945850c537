import { Field } from '@base-ui/react/field'
import { useEffect, useRef } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { cx } from './cx'
import { FieldFrame, type FieldProps } from './FieldFrame'

// Browsers report an incomplete date as an empty string. This value makes core reject it with its own message.
const INCOMPLETE = 'begun'

/** Returns the date of a field value, or '' for an incomplete one. */
export const dayIn = (value: string) => (value === INCOMPLETE ? '' : value)

/** A labelled date field with values in `yyyy-MM-dd`. */
export function DateField<T extends FieldValues>(props: FieldProps<T>) {
  const { control, name, label, help, required, className } = props
  const { field, fieldState } = useController({ control, name })
  const input = useRef<HTMLInputElement>(null)
  // React can't tell an incomplete date from an empty one, so it wouldn't clear an incomplete date.
  useEffect(() => {
    if (field.value === '' && input.current) input.current.value = ''
  }, [field.value])
  const update = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const value = currentTarget.validity.badInput ? INCOMPLETE : currentTarget.value
    if (value !== field.value) field.onChange(value)
  }
  return (
    <FieldFrame
      {...{ name, label, help, required }}
      className={cx('min-w-0', className)}
      state={{ invalid: fieldState.invalid, touched: fieldState.isTouched, dirty: fieldState.isDirty }}
      error={fieldState.error?.message}
    >
      <Field.Control
        type="date"
        // Without a maximum, the year field accepts six digits.
        max="9999-12-31"
        ref={(element: HTMLInputElement | null) => {
          input.current = element
          field.ref(element)
        }}
        value={dayIn((field.value as string | undefined) ?? '')}
        onChange={update}
        // Browsers fire no change event while a date is incomplete.
        onKeyUp={update}
        onBlur={event => {
          update(event)
          field.onBlur()
        }}
        aria-required={required}
        className="box tabular-nums"
      />
    </FieldFrame>
  )
}
