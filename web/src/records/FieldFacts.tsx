import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ListField, ListName, Operand } from '~/core/lists'
import { ownMoney, price } from '~/lib/format'
import { Facts } from '~/ui/Card'
import { CardFailed, CardLoading } from './CardState'
import { fieldName, valueText } from './filter/conditions'
import { useFields } from './useFields'

type Props<R> = {
  list: ListName
  record: R
  /** The names of the fields, in their order on the page. */
  names: readonly (keyof R & string)[]
  /** The fields whose values are shown in another way than the kind of the field determines. */
  values?: { readonly [N in keyof R]?: ReactNode }
}

/** The labels and values of a record's fields, without those that the user may not see. */
export function FieldFacts<R extends object>({ list, record, names, values = {} }: Props<R>) {
  const { fields, isFailed, retry } = useFields(list)
  if (isFailed) {
    return <CardFailed error={undefined} failed={t`Failed to load the details`} onRetry={retry} />
  }
  if (!fields) return <CardLoading lines={names.length} />
  return (
    <Facts
      facts={names.flatMap(name => {
        const field = fields.find(name)
        if (!field) return []
        return [[fieldName(field, name), name in values ? values[name] : shown(record[name], field)]]
      })}
    />
  )
}

/** Returns a value as a record's page shows it, by the kind of its field. */
function shown(value: unknown, field: ListField): ReactNode {
  const isMoney = field.kind === 'money' || field.kind === 'ownMoney'
  if (typeof value !== 'number' || !isMoney) return valueText(value as Operand, field)
  return (
    <span className="font-medium tabular-nums">
      {field.kind === 'money' ? price(value) : ownMoney(value)}
    </span>
  )
}
