import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { ListsCore } from '~/core/lists'
import { textOf } from '~/language'
import type { FieldProps } from '~/ui/FieldFrame'
import { TextField } from '~/ui/TextField'
import type { inputOf } from './values'

type Values = ReturnType<typeof inputOf>

type Props = { field: FieldProps<Values>; form: UseFormReturn<Values>; rules: ListsCore }

/** The VIN, and what it says: its region, the model years that it can mean, and what is unusual about it. */
export function VinField({ field, form, rules }: Props) {
  const [vin, model_year] = form.watch(['vin', 'model_year'])
  const { region, modelYears, notes } = rules.vinFacts({ vin, model_year }, new Date().getFullYear() + 1)
  // A VIN is enough, so a missing registration number is no error then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the VIN changes.
  useEffect(() => {
    if (form.getFieldState('registration_number').invalid) void form.trigger('registration_number')
  }, [form, vin])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the model year changes, on which the rule of the VIN depends.
  useEffect(() => {
    if (form.getFieldState('vin').invalid) void form.trigger('vin')
  }, [form, model_year])
  const years = modelYears.join(t({ message: ' or ', comment: 'Between two model years' }))
  const facts = [region && vin && textOf(region), years && t`Model year ${years}`].filter(Boolean).join(' · ')
  const help = [facts && `${facts}.`, ...notes.map(textOf)].filter(Boolean).join(' ')
  return (
    <TextField
      {...field}
      autoComplete="off"
      spellCheck={false}
      className="sm:col-span-2"
      help={help || t`17 letters and digits.`}
    />
  )
}
