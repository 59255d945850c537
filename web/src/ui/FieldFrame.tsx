import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import type { Control, ControllerFieldState, FieldPath, FieldValues } from 'react-hook-form'
import { Announced } from './Announced'
import { cx } from './cx'

/** Props of a labelled input that is bound to a form field. */
export type FieldProps<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  /** A text, perhaps with a link, that is shown below the field, unless the field has an error. */
  help?: ReactNode
  required?: boolean
  /** The value can't be changed. */
  disabled?: boolean
  className?: string
}

type Props = Pick<
  FieldProps<Record<string, unknown>>,
  'name' | 'label' | 'help' | 'required' | 'disabled' | 'className'
> & {
  state: ControllerFieldState
  children: ReactNode
}

/**
 * The label of a form field, the input, and its help or error. The line below the input is always present, so that
 * nothing moves when an error appears.
 */
export function FieldFrame({ name, label, help, required, disabled, className, state, children }: Props) {
  return (
    <Field.Root
      name={name}
      disabled={disabled}
      invalid={state.invalid}
      touched={state.isTouched}
      dirty={state.isDirty}
      className={cx('grid min-w-0 content-start gap-1.5', className)}
    >
      <Field.Label className={cx('text-sm font-medium', required && 'required')}>{label}</Field.Label>
      {children}
      <div className="min-h-4 text-xs">
        <Announced text={state.error?.message ?? (typeof help === 'string' ? help : '')}>
          {state.error ? (
            <Field.Error match className="text-danger">
              {state.error.message}
            </Field.Error>
          ) : (
            help && <Field.Description className="text-muted">{help}</Field.Description>
          )}
        </Announced>
      </div>
    </Field.Root>
  )
}
