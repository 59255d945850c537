import { Field } from '@base-ui/react/field'
import { useEffect, useRef } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { FieldFrame, type FieldProps } from './FieldFrame'

// Browsers report an incomplete date as an empty string. This value makes core reject it with its own message.
const BEGUN = 'begun'

/** Returns the date of a field value, or '' for an incomplete one. */
export const dayIn = (value: string) => (value === BEGUN ? '' : value)

/** A labelled date field bound to a form field with values in `yyyy-MM-dd`. */
export function DateField<T extends FieldValues>(props: FieldProps<T>) {
  const { field, fieldState } = useController({ control: props.control, name: props.name })
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
    <FieldFrame {...props} state={fieldState}>
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
        aria-required={props.required}
        className="box tabular-nums"
      />
    </FieldFrame>
  )
}
