import { t } from '@lingui/core/macro'
import { useForm } from 'react-hook-form'
import { createResolver, useRevalidation } from '~/lib/form'
import { NO_FILTER, type PanelFilter } from '~/lib/query'
import { Button } from '~/ui/Button'
import { DateField } from '~/ui/DateField'
import { SelectField } from '~/ui/SelectField'
import { typeChoices } from './customerType'

type Props = {
  filter: PanelFilter
  onApply: (filter: PanelFilter) => void
  onClose: () => void
}

/** The form of the panel that filters customers by type of customer and by date. */
export function FilterForm({ filter, onApply, onClose }: Props) {
  const form = useForm<PanelFilter>({
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkCustomerFilter(values)),
    defaultValues: filter,
  })
  useRevalidation(form)
  const { control, handleSubmit, reset } = form
  const apply = handleSubmit(values => {
    onApply(values)
    onClose()
  })
  return (
    <form noValidate onSubmit={apply} className="flex flex-1 flex-col">
      <div className="grid flex-1 content-start gap-y-2 p-5">
        <SelectField
          control={control}
          name="typeAdv"
          label={t`Type`}
          choices={[{ value: '', label: t`All types` }, ...typeChoices()]}
          placeholder={t`All types`}
        />
        <DateField control={control} name="fromDate" label={t`From`} />
        <DateField
          control={control}
          name="toDate"
          label={t`To`}
          help={t`Filters by latest purchase, or by date added if there is none. Both dates are included.`}
        />
      </div>
      <div className="pair sticky bottom-0 gap-2 border-t border-line bg-raised p-5">
        <Button
          onClick={() => {
            reset(NO_FILTER)
            onApply(NO_FILTER)
          }}
        >
          {t`Reset`}
        </Button>
        <Button kind="primary" type="submit">
          {t`Apply Filter`}
        </Button>
      </div>
    </form>
  )
}
