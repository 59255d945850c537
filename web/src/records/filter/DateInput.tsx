import { Field } from '@base-ui/react/field'
import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { ListField } from '~/core/lists'
import { completeDateOf } from '~/ui/DateField'
import { FieldFrame } from '~/ui/FieldFrame'
import { Select } from '~/ui/Select'
import { FieldInput } from '../FieldInput'
import type { ConditionForm } from './form'
import { choiceOf, type Days, EXACT, isDays, relativeText, suggestedValues } from './relative'

type Props = {
  field: ListField
  control: Control<ConditionForm>
  name: 'first' | 'second'
  label: string
}

/**
 * The input for a date or a time in a condition: an exact one, or one that is counted from today. The form's value of a
 * relative date is in core's notation, such as `today-30`.
 */
export function DateInput({ field, control, name, label }: Props) {
  const { value, onChange } = useController({ control, name }).field
  const choice = choiceOf(value)
  const group = useRef<HTMLFieldSetElement>(null)
  const previous = useRef(choice)
  // The last value of each choice, for when the user returns to it.
  const last = useRef<Record<string, string>>({ ...suggestedValues, [EXACT]: '' })
  // If the user makes another choice that has an input, the input gets the focus.
  useEffect(() => {
    const input = group.current?.querySelector('input')
    if (choice !== previous.current && (choice === EXACT || isDays(choice))) {
      input?.focus()
      input?.select()
    }
    previous.current = choice
  }, [choice])
  const choices = [
    { value: EXACT, label: field.kind === 'time' ? t`Exact time` : t`Exact date` },
    { value: 'today', label: t`Today` },
    { value: 'today-', label: t`Days ago` },
    { value: 'today+', label: t`Days from now` },
    { value: 'month', label: t`This month` },
    { value: 'month-1', label: t`Last month` },
    { value: 'year', label: t`This year` },
    { value: 'year-1', label: t`Last year` },
  ]
  // URLs and views may have other relative dates.
  if (!choices.some(({ value }) => value === choice))
    choices.push({ value: choice, label: relativeText(choice) ?? choice })
  return (
    <fieldset ref={group} className="flex min-w-0 flex-wrap items-start gap-x-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {choice === EXACT && (
        <FieldInput
          field={field}
          control={control}
          name={name}
          label={label}
          className="flex-auto [&>label]:sr-only"
        />
      )}
      {isDays(choice) && <DaysInput control={control} name={name} choice={choice} />}
      <Select
        label={t`Date or period`}
        value={choice}
        choices={choices}
        onChange={next => {
          last.current[choice] = completeDateOf(value)
          onChange(last.current[next] ?? next)
        }}
        className="flex-1 basis-32 font-normal"
      />
    </fieldset>
  )
}

type DaysProps = Pick<Props, 'control' | 'name'> & { choice: Days }

function DaysInput({ control, name, choice }: DaysProps) {
  const { field, fieldState } = useController({ control, name })
  return (
    <FieldFrame name={name} label={t`Days`} state={fieldState} className="flex-1 basis-20 [&>label]:sr-only">
      <Field.Control
        inputMode="numeric"
        autoComplete="off"
        ref={field.ref}
        value={field.value.slice(choice.length)}
        onValueChange={days => field.onChange(choice + days.trim())}
        onBlur={field.onBlur}
        className="box tabular-nums"
      />
    </FieldFrame>
  )
}
