import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { cx } from './cx'

type Props<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  /** Shown below the field unless there is an error. */
  help?: string
  /** Rendered inside the field at its end, for example a show/hide button. */
  end?: ReactNode
  required?: boolean
  /** Number of lines of a multi-line field, in which Enter starts a new line instead of submitting. */
  lines?: number
  className?: string
} & Pick<
  ComponentProps<'input'>,
  | 'type'
  | 'autoComplete'
  | 'placeholder'
  | 'inputMode'
  | 'spellCheck'
  | 'maxLength'
  | 'readOnly'
  | 'min'
  | 'max'
  | 'step'
  | 'onWheel'
  | 'onKeyDown'
>

/**
 * A labelled text field bound to a form field. The line below is always present, so that nothing moves when an error
 * appears.
 */
export function TextField<T extends FieldValues>(props: Props<T>) {
  const { control, name, label, help, end, required, lines, className, ...input } = props
  const { field, fieldState } = useController({ control, name })
  return (
    <Field.Root
      name={name}
      invalid={fieldState.invalid}
      touched={fieldState.isTouched}
      dirty={fieldState.isDirty}
      className={cx('grid content-start gap-1.5', className)}
    >
      <Field.Label className={cx('text-sm font-medium', required && 'required')}>{label}</Field.Label>
      <div className="relative">
        <Field.Control
          {...input}
          {...(lines !== undefined && { render: <textarea rows={lines} /> })}
          ref={field.ref}
          value={(field.value as string | undefined) ?? ''}
          onValueChange={field.onChange}
          onBlur={field.onBlur}
          aria-required={required}
          className={cx('box', !!end && 'pr-12', lines !== undefined && 'h-auto resize-none py-2')}
        />
        {end && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
      </div>
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
