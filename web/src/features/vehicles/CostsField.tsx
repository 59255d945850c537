import { t } from '@lingui/core/macro'
import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import type { ListsCore } from '~/core/lists'
import { ownCurrency } from '~/lib/format'
import { costKindNames } from '~/lib/words'
import { Button } from '~/ui/Button'
import { choicesOf } from '~/ui/choices'
import { DateField } from '~/ui/DateField'
import { focusNeighbor } from '~/ui/focusNeighbor'
import { IconButton } from '~/ui/IconButton'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { newCost } from './costs'
import type { inputOf } from './values'

type Values = ReturnType<typeof inputOf>

type Props = {
  form: UseFormReturn<Values>
  rules: ListsCore
  /** Whether the form opens here: then the last cost gets the focus instead of the form's first field. */
  isStart: boolean
}

/** The rows of a vehicle's form in which its costs are entered. */
export function CostsField({ form, rules, isStart }: Props) {
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'costs' })
  const adder = useRef<HTMLButtonElement>(null)
  const currency = ownCurrency()
  const kinds = choicesOf(costKindNames, rules.costKinds())
  const errors = form.formState.errors.costs
  // The error of the whole list, such as too many costs.
  const error = errors?.root?.message ?? errors?.message
  return (
    <fieldset className="mt-2 sm:col-span-2">
      <legend className="text-sm font-medium">{t`Costs in ${currency}`}</legend>
      {fields.map(({ id }, index) => {
        const number = index + 1
        return (
          <fieldset
            key={id}
            data-start={(isStart && number === fields.length) || undefined}
            className="pair mt-2 gap-x-3 gap-y-1 rounded-lg border border-line p-3 sm:grid-cols-[9.5rem_9rem_1fr_1fr_auto]"
          >
            <legend className="sr-only">{t`Cost ${number}`}</legend>
            <DateField
              control={control}
              name={`costs.${index}.date`}
              label={t`Date`}
              className="max-sm:col-span-full"
            />
            <SelectField
              control={control}
              name={`costs.${index}.kind`}
              label={t`Kind`}
              choices={kinds}
              className="max-sm:col-span-full"
            />
            <TextField
              control={control}
              name={`costs.${index}.net`}
              label={t`Net`}
              inputMode="decimal"
              autoComplete="off"
            />
            <TextField
              control={control}
              name={`costs.${index}.vat`}
              label={t`VAT`}
              inputMode="decimal"
              autoComplete="off"
            />
            <IconButton
              icon={<X aria-hidden className="size-4" />}
              label={t`Remove cost ${number}`}
              className="self-start justify-self-end max-sm:order-last max-sm:col-span-full sm:mt-6.5"
              onClick={({ currentTarget }) => {
                if (!focusNeighbor(currentTarget)) adder.current?.focus()
                remove(index)
              }}
            />
            <TextField
              control={control}
              name={`costs.${index}.note`}
              label={t`Note`}
              autoComplete="off"
              className="col-span-full sm:col-span-4"
            />
          </fieldset>
        )
      })}
      {error && (
        <p role="alert" className="mt-2 text-xs text-danger">
          {error}
        </p>
      )}
      <Button ref={adder} className="mt-2" onClick={() => append(newCost())}>
        <Plus aria-hidden className="size-4" />
        {t`Add cost`}
      </Button>
    </fieldset>
  )
}
