import { type FieldValues, useController } from 'react-hook-form'
import { FieldFrame, type FieldProps } from './FieldFrame'
import { type Choice, Select } from './Select'

type Props<T extends FieldValues> = FieldProps<T> & {
  choices: readonly Choice<string>[]
  placeholder?: string
  /** Called when the user chooses a value. */
  onChoose?: (value: string) => void
}

/** A labelled select bound to a form field. */
export function SelectField<T extends FieldValues>(props: Props<T>) {
  const { control, name, label, choices, placeholder, required, onChoose } = props
  const { field, fieldState } = useController({ control, name })
  // A value that isn't among the choices has no label, so the select shows its placeholder.
  const chosen = choices.find(choice => choice.value === field.value)
  // The same goes for the choice of no value.
  const none = choices.find(choice => choice.value === '')
  return (
    <FieldFrame {...props} state={fieldState}>
      <Select
        label={label}
        value={chosen?.value ?? ''}
        choices={choices}
        onChange={value => {
          field.onChange(value)
          onChoose?.(value)
        }}
        placeholder={placeholder ?? none?.label}
        required={required}
        invalid={fieldState.invalid}
        onBlur={field.onBlur}
        ref={field.ref}
        className="font-normal"
      />
    </FieldFrame>
  )
}
