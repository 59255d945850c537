import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { cx } from './cx'

export type FieldProps<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  /** Shown below the field unless there is an error. */
  help?: string
  required?: boolean
  className?: string
}

type Props = Omit<FieldProps<FieldValues>, 'control'> & {
  state: Pick<Field.Root.Props, 'invalid' | 'touched' | 'dirty'>
  error: string | undefined
  children: ReactNode
}

/** The label of a field, and its error or help. The line below is always present, so that nothing moves. */
export function FieldFrame({ name, label, help, required, className, state, error, children }: Props) {
  return (
    <Field.Root name={name} {...state} className={cx('grid content-start gap-1.5', className)}>
      <Field.Label className={cx('text-sm font-medium', required && 'required')}>{label}</Field.Label>
      {children}
      <div className="min-h-4 text-xs" aria-live="polite">
        {error ? (
          <Field.Error match className="text-danger">
            {error}
          </Field.Error>
        ) : (
          help && <Field.Description className="text-muted">{help}</Field.Description>
        )}
      </div>
    </Field.Root>
  )
}
