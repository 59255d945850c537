import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { type Control, Controller, useController, useForm } from 'react-hook-form'
import type { ConditionInput, ListField, Operator } from '~/core/lists'
import { textOf } from '~/language'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { cx } from '~/ui/cx'
import { FieldFrame } from '~/ui/FieldFrame'
import { ErrorNotice } from '~/ui/Notice'
import { Select } from '~/ui/Select'
import { TextField } from '~/ui/TextField'
import { FieldInput } from '../FieldInput'
import type { Fields } from '../useFields'
import { operatorName, valueText } from './conditions'
import { DateInput } from './DateInput'
import { type ConditionForm, emptyForm, formOf, readForm } from './form'

type Props = {
  /** The id of the form, if a button outside of it applies the condition. Otherwise the form has a button for that. */
  id?: string
  fields: Fields
  /** The field of a new condition, or the condition to change. */
  initial: ListField | ConditionInput
  /** The list's other conditions. */
  others: ConditionInput[]
  onApply: (condition: ConditionInput) => void
  onRemove?: () => void
}

/** The form of one condition: field, operator, and values by the field's kind. */
export function ConditionEditor({ id, fields, initial, others, onApply, onRemove }: Props) {
  const known = 'op' in initial ? fields.find(initial.field) : initial
  const fallback = known ?? fields.offered[0]
  const form = useForm<ConditionForm>({
    defaultValues: !fallback
      ? undefined
      : 'op' in initial && known
        ? formOf(initial, known)
        : emptyForm(fallback),
  })
  const { control, handleSubmit, watch, subscribe, reset, setValue, setError, clearErrors } = form
  const operands = useRef<HTMLDivElement>(null)
  // After a field was picked, the user types its value. On a touch screen, that would open the keyboard over the form.
  const isPicked = !('op' in initial)
  useEffect(() => {
    if (isPicked && !matchMedia('(pointer: coarse)').matches)
      operands.current?.querySelector<HTMLElement>('input, textarea, [role="combobox"]')?.focus()
  }, [isPicked])
  useEffect(
    () => subscribe({ formState: { values: true }, callback: () => clearErrors('root') }),
    [subscribe, clearErrors],
  )
  const field = fields.find(watch('field'))
  const operator = field?.operators.find(({ name }) => name === watch('op'))
  const apply = handleSubmit(values => {
    const read = readForm(fields, values, others)
    if ('condition' in read) onApply(read.condition)
    else setError(read.at, { message: read.error }, { shouldFocus: true })
  })
  if (!field) return null
  return (
    <form id={id} noValidate onSubmit={apply} className="grid gap-2">
      <div className="pair gap-2">
        <Select
          label={t`Field`}
          value={field.name}
          choices={fields.offered.map(({ name, label }) => ({ value: name, label: textOf(label) }))}
          onChange={name => {
            const next = fields.find(name)
            if (next) reset(emptyForm(next))
          }}
        />
        <Select
          label={t`Condition`}
          value={operator?.name ?? ''}
          choices={field.operators.map(({ name }) => ({
            value: name,
            label: operatorName(name, field.kind),
          }))}
          onChange={name => {
            clearErrors()
            setValue('op', name)
          }}
        />
      </div>
      <div ref={operands} className="contents">
        <Values key={field.name} field={field} operator={operator} control={control} />
      </div>
      <ErrorNotice message={form.formState.errors.root?.message} />
      <div className="mt-1 flex items-center justify-end gap-2">
        {onRemove && (
          <Button kind="ghost" className="mr-auto text-danger!" onClick={onRemove}>
            {t`Remove`}
          </Button>
        )}
        {!id && <Button kind="primary" type="submit">{t`Apply`}</Button>}
      </div>
    </form>
  )
}

type ValuesProps = { field: ListField; operator: Operator | undefined; control: Control<ConditionForm> }

/** The inputs for a condition's values: one, two, several or none, depending on the operator. */
function Values({ field, operator, control }: ValuesProps) {
  const offersValues = field.choices.length > 0
  const isDate = field.kind === 'date' || field.kind === 'time'
  const Input = isDate ? DateInput : FieldInput
  switch (operator?.operands) {
    case 'none':
      return null
    case 'two':
      return (
        <div className={cx('gap-2', isDate ? 'grid' : 'pair')}>
          <Input field={field} control={control} name="first" label={t`From`} />
          <Input field={field} control={control} name="second" label={t`To`} />
        </div>
      )
    case 'many':
      return (
        <>
          {offersValues && <Choices field={field} control={control} />}
          {field.kind !== 'choice' && (
            <TextField
              control={control}
              name="lines"
              label={offersValues ? t`Other values` : t`Values`}
              help={t`One value per line.`}
              lines={offersValues ? 2 : 4}
            />
          )}
        </>
      )
    default:
      return offersValues && field.kind === 'text' && ['is', 'is_not'].includes(operator?.name ?? '') ? (
        <OfferedText field={field} control={control} />
      ) : (
        <Input field={field} control={control} name="first" label={t`Value`} />
      )
  }
}

type FieldValuesProps = Pick<ValuesProps, 'field' | 'control'>

/** Stands for “Other…” in the select. No field offers a space. */
const OTHER = ' '

/** A select of the values that a text field offers. Its choice "Other…" shows an input for any other text. */
function OfferedText({ field, control }: FieldValuesProps) {
  const { field: first, fieldState } = useController({ control, name: 'first' })
  const [isOther, setOther] = useState(first.value !== '' && !field.choices.includes(first.value))
  const wasOther = useRef(isOther)
  const other = useRef<HTMLDivElement>(null)
  // After the user chose to enter another text, its input has the focus.
  useEffect(() => {
    if (isOther && !wasOther.current) other.current?.querySelector('input')?.focus()
    wasOther.current = isOther
  }, [isOther])
  // The error of another text is shown at its input.
  const state = isOther ? { ...fieldState, invalid: false, error: undefined } : fieldState
  return (
    <>
      <FieldFrame name="first" label={t`Value`} state={state}>
        <Select
          label={t`Value`}
          value={isOther ? OTHER : first.value}
          choices={[
            ...field.choices.map(value => ({ value, label: valueText(value, field) })),
            { value: OTHER, label: t`Other…` },
          ]}
          onChange={value => {
            setOther(value === OTHER)
            first.onChange(value === OTHER ? '' : value)
          }}
          invalid={state.invalid}
          onBlur={first.onBlur}
          ref={isOther ? undefined : first.ref}
          className="font-normal"
        />
      </FieldFrame>
      {isOther && (
        <div ref={other}>
          <TextField control={control} name="first" label={t`Other value`} autoComplete="off" />
        </div>
      )}
    </>
  )
}

/** A checkbox for each value that a field offers. */
function Choices({ field, control }: FieldValuesProps) {
  return (
    <Controller
      control={control}
      name="choices"
      render={({ field: { value, onChange } }) => (
        <fieldset className={field.choices.length > 5 ? 'pair' : 'grid'}>
          <legend className="sr-only">{t`Values`}</legend>
          {field.choices.map(choice => (
            <Checkbox
              key={choice}
              label={valueText(choice, field)}
              checked={value.includes(choice)}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, choice] : value.filter(other => other !== choice))
              }
            />
          ))}
        </fieldset>
      )}
    />
  )
}
