import { t } from '@lingui/core/macro'
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form'
import { Button } from '~/ui/Button'
import { completeDateOf, DateField } from '~/ui/DateField'

type Days = { from: string; to: string }

const resolver: Resolver<Days> = days => {
  const errors: FieldErrors<Days> = {}
  const { from, to } = days
  const add = (field: keyof Days, message: string) => {
    errors[field] = { type: 'rule', message }
  }
  if (from && to && completeDateOf(from) > completeDateOf(to)) add('to', t`Choose a later day`)
  if (from && !completeDateOf(from)) add('from', t`Enter a whole date`)
  if (to && !completeDateOf(to)) add('to', t`Enter a whole date`)
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: days, errors: {} }
}

type Props = Days & { onApply: (days: Days) => void }

/** The form for the first and last day of the period to show. Either day may be empty. */
export function DateRange({ from, to, onApply }: Props) {
  const { control, handleSubmit } = useForm<Days>({ values: { from, to }, resolver })
  return (
    <form
      noValidate
      onSubmit={handleSubmit(onApply)}
      className="col-span-full grid w-full gap-x-2 sm:-mb-4 sm:flex sm:items-start"
    >
      <DateField control={control} name="from" label={t`From`} className="sm:w-44" />
      <DateField control={control} name="to" label={t`To`} className="sm:w-44" />
      <Button type="submit" className="mt-1 sm:mt-6.5">
        {t`Apply`}
      </Button>
    </form>
  )
}
