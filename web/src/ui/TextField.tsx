import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { cx } from './cx'
import { FieldFrame, type FieldProps } from './FieldFrame'

type Props<T extends FieldValues> = FieldProps<T> & {
  /** An element at the end of the field, inside its border, for example a show/hide button. */
  end?: ReactNode
  /** The unit of the value, such as a currency, shown at the end of the field. */
  unit?: string
  /** Number of lines of a multi-line field, in which Enter starts a new line instead of submitting. */
  lines?: number
} & Pick<
    ComponentProps<'input'>,
    | 'type'
    | 'autoCapitalize'
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

/** A labelled text field bound to a form field. */
export function TextField<T extends FieldValues>(props: Props<T>) {
  const { control, name, label, help, end, unit, required, lines, className, ...input } = props
  const { field, fieldState } = useController({ control, name })
  return (
    <FieldFrame {...props} state={fieldState}>
      <div className="relative">
        <Field.Control
          {...input}
          {...(lines !== undefined && { render: <textarea rows={lines} /> })}
          ref={field.ref}
          value={(field.value as string | undefined) ?? ''}
          onValueChange={field.onChange}
          onBlur={field.onBlur}
          aria-required={required}
          className={cx('box', !!(end || unit) && 'pr-12', lines !== undefined && 'h-auto resize-none py-2')}
        />
        {end && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
        {unit && (
          <Field.Description
            render={<span />}
            className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-muted"
          >
            {unit}
          </Field.Description>
        )}
      </div>
    </FieldFrame>
  )
}
