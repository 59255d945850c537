import { Field } from '@base-ui/react/field'
import { useEffect, useRef } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { FieldFrame, type FieldProps } from './FieldFrame'

// The form's value for an incomplete date, which browsers report as an empty string. Core rejects it as an invalid
// date.
const BEGUN = 'begun'

/** Returns the date in a value of `DateField`; '' for an incomplete date. */
export const completeDateOf = (value: string) => (value === BEGUN ? '' : value)

/** A labelled date input bound to a form field, whose value has the format `yyyy-MM-dd`. */
export function DateField<T extends FieldValues>(props: FieldProps<T>) {
  const { field, fieldState } = useController({ control: props.control, name: props.name })
  const input = useRef<HTMLInputElement>(null)
  // When the form is reset, React doesn't clear an incomplete date, because the input's value is already ''.
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
        value={completeDateOf((field.value as string | undefined) ?? '')}
        onChange={take}
        // Key events too, because browsers fire no change event while a date is incomplete.
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
