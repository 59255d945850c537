import { t } from '@lingui/core/macro'
import type { FieldValues } from 'react-hook-form'
import type { ListsCore } from '~/core/lists'
import { countryChoices } from '~/lib/format'
import type { FieldProps } from '~/ui/FieldFrame'
import { SelectField } from '~/ui/SelectField'

type Props<T extends FieldValues> = Pick<FieldProps<T>, 'control' | 'name'> & { rules: ListsCore }

/** The select of a new corporation's country. */
export function CountryField<T extends FieldValues>({ rules, ...field }: Props<T>) {
  return (
    <SelectField
      {...field}
      label={t`Country`}
      required
      choices={countryChoices(rules.countries())}
      help={t`Sets the currency and the VAT rate, which can be changed later in Settings.`}
    />
  )
}
