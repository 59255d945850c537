import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Cost, Leg } from '~/core'
import type { ListField } from '~/core/lists'
import { textOf } from '~/language'
import { calendarDay } from '~/lib/format'
import { shownText } from '~/lib/words'
import { NONE } from '~/ui/Card'
import { text } from './cells'
import { choiceName } from './choiceName'
import type { Column } from './columns'
import { numberText } from './filter/conditions'
import { RecordLink } from './RecordLink'
import { Time } from './Time'
import { type Fields, valueAt } from './useFields'

/** The layout of a column by the kind of its field. */
const layouts: Partial<Record<ListField['kind'], Pick<Column<never>, 'width' | 'isNumber'>>> = {
  number: { width: 128, isNumber: true },
  money: { width: 144, isNumber: true },
  ownMoney: { width: 160, isNumber: true },
  costs: { width: 144, isNumber: true },
  percent: { width: 128, isNumber: true },
  legs: { width: 112, isNumber: true },
  date: { width: 144 },
  time: { width: 208 },
  flag: { width: 112 },
}

/** Returns a column for each field that has no column in `columns`. These are hidden until the user shows them. */
export const extraColumns = <R extends object>(fields: Fields, columns: readonly Column<R>[]): Column<R>[] =>
  fields.offered
    .filter(({ name }) => !columns.some(column => column.id === name))
    .map(({ name, path, label, kind, choices }) => ({
      ...fieldColumn(name as keyof R & string, textOf(label), kind, choices),
      cell: (record: R) => cellOf(valueAt(record, path), kind, choices),
      ...(kind === 'costs' && { cell: totalOf(fields, name as keyof R & string) }),
      ...(kind === 'legs' && { cell: numberOf(name as keyof R & string) }),
      isExtra: true,
    }))

/** Returns a column's `cell` function that shows the total of a vehicle's costs. */
const totalOf =
  <R extends object>({ rules }: Fields, name: keyof R): Column<R>['cell'] =>
  record => {
    const costs = (record[name] ?? []) as Cost[]
    return costs.length === 0 ? NONE : cellOf(rules.costTotals(costs)[0], 'costs')
  }

/** Returns what shows how many vehicles an agreement has. */
const numberOf =
  <R extends object>(name: keyof R): Column<R>['cell'] =>
  record =>
    cellOf((record[name] as Leg[]).length, 'legs')

/** Returns a column that shows a field of the record, formatted by the field's kind. */
export const fieldColumn = <R extends object>(
  id: keyof R & string,
  header: string,
  kind: ListField['kind'] = 'text',
  choices: string[] = [],
): Column<R> => ({
  id,
  header,
  ...layouts[kind],
  cell: record => cellOf(record[id], kind, choices),
})

/** Returns the column with the records' names, which link to their pages. `show` formats a name. */
export const nameColumn = <R extends object>(
  { idOf, pathOf }: { idOf: (record: R) => string; pathOf: (id: string) => string },
  id: keyof R & string,
  header: string,
  show: (name: string) => ReactNode = name => name,
): Column<R> => ({
  id,
  header,
  cell: record => {
    const name = shownText(String(record[id]))
    return (
      <RecordLink to={pathOf(idOf(record))} className="block min-w-0 rounded font-medium hover:underline">
        {/* The link itself covers the row, where its tooltip would hide those of the other cells. */}
        <span title={name} className="block truncate">
          {show(name)}
        </span>
      </RecordLink>
    )
  },
})

/** Returns a value as a table cell shows it, formatted by the field's kind. */
function cellOf(value: unknown, kind: ListField['kind'], choices: string[] = []) {
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number') {
    const number = numberText(value, kind)
    return (
      <span title={number} className="block truncate tabular-nums lg:text-right">
        {number}
      </span>
    )
  }
  if (typeof value !== 'string' || value === '') return NONE
  if (kind === 'choice') return text(choiceName(value, choices))
  if (kind === 'time') return <Time at={value} className="tabular-nums" />
  if (kind !== 'date') return text(value)
  return (
    <time dateTime={value} className="tabular-nums">
      {calendarDay(value)}
    </time>
  )
}
