import { t } from '@lingui/core/macro'
import type { UseFormReturn } from 'react-hook-form'
import type { ListsCore } from '~/core/lists'
import { textOf } from '~/language'
import type { FieldProps } from '~/ui/FieldFrame'
import { TextField } from '~/ui/TextField'
import type { inputOf } from './values'

type Values = ReturnType<typeof inputOf>

type Props = { field: FieldProps<Values>; form: UseFormReturn<Values>; rules: ListsCore }

/**
 * The form field of the VIN. Its help text says the region and model years that the VIN stands for, and what is
 * unusual.
 */
export function VinField({ field, form, rules }: Props) {
  const [vin, model_year] = form.watch(['vin', 'model_year'])
  const { region, modelYears, notes } = rules.vinFacts({ vin, model_year }, new Date().getFullYear() + 1)
  const years = modelYears.join(t({ message: ' or ', comment: 'Between two model years' }))
  const facts = [region && vin && textOf(region), years && t`Model year ${years}`].filter(Boolean).join(' · ')
  const help = [facts && `${facts}.`, ...notes.map(textOf)].filter(Boolean).join(' ')
  return (
    <TextField
      {...field}
      autoCapitalize="characters"
      autoComplete="off"
      spellCheck={false}
      className="sm:col-span-2"
      help={help || t`17 letters and digits.`}
    />
  )
}
