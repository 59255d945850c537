import { t } from '@lingui/core/macro'
import type { FieldValues } from 'react-hook-form'
import { core } from '~/core'
import type { ListField } from '~/core/lists'
import { ownCurrency } from '~/lib/format'
import { DateField } from '~/ui/DateField'
import type { FieldProps } from '~/ui/FieldFrame'
import type { Choice } from '~/ui/Select'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { choiceName } from './choiceName'

export type InputOptions = Pick<FieldProps<FieldValues>, 'help' | 'required' | 'disabled' | 'className'> & {
  /** The choice of no value, if the field may be empty. */
  none?: Choice<string>
  /** The values of a choice to offer; by default all. */
  offered?: readonly string[]
  /** Number of lines of a text's input; by default an input of one line. */
  lines?: number
}

type Props<T extends FieldValues> = FieldProps<T> & InputOptions & { field: ListField }

const unitOf = (kind: string) =>
  kind === 'percent' ? '%' : kind === 'money' ? core.invoiceCurrency() : ownCurrency()

/** The input for a value of a field, such as a date field or a select, depending on the field's kind. */
export function FieldInput<T extends FieldValues>({ field, none, offered, lines, ...props }: Props<T>) {
  const { kind, choices } = field
  switch (kind) {
    case 'date':
      return <DateField {...props} />
    case 'time':
      return <TextField {...props} type="datetime-local" max="9999-12-31T23:59" />
    case 'number':
      return <TextField {...props} inputMode="numeric" autoComplete="off" />
    case 'money':
    case 'ownMoney':
    case 'costs':
    case 'percent':
      return <TextField {...props} unit={unitOf(kind)} inputMode="decimal" autoComplete="off" />
    case 'choice': {
      const named = (offered ?? choices).map(value => ({ value, label: choiceName(value, choices) }))
      return <SelectField {...props} choices={none ? [none, ...named] : named} />
    }
    case 'flag':
      return (
        <SelectField
          {...props}
          choices={[
            { value: 'true', label: t`Yes` },
            { value: 'false', label: t`No` },
          ]}
        />
      )
    default:
      return <TextField {...props} lines={lines} autoComplete="off" />
  }
}
