import { Field } from '@base-ui/react/field'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { cx } from './cx'
import { type Choice, Select } from './Select'

type Props<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  choices: readonly Choice<string>[]
  placeholder?: string
  /** Shown below the field unless there is an error. */
  help?: string
  required?: boolean
  className?: string
}

/**
 * A labelled select bound to a form field. The line below is always present, so that nothing moves when an error
 * appears.
 */
export function SelectField<T extends FieldValues>(props: Props<T>) {
  const { control, name, label, choices, placeholder, help, required, className } = props
  const { field, fieldState } = useController({ control, name })
  // A value that isn't among the choices has no label to show.
  const chosen = choices.find(choice => choice.value === field.value)
  return (
    <Field.Root
      name={name}
      invalid={fieldState.invalid}
      className={cx('grid min-w-0 content-start gap-1.5', className)}
    >
      <Field.Label className={cx('text-sm font-medium', required && 'required')}>{label}</Field.Label>
      <Select
        label={label}
        value={chosen?.value ?? ''}
        choices={choices}
        onChange={field.onChange}
        placeholder={placeholder}
        required={required}
        invalid={fieldState.invalid}
        onBlur={field.onBlur}
        ref={field.ref}
        className="font-normal"
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
