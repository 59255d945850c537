import { t } from '@lingui/core/macro'
import type { ConditionInput, ListField, ListName, Operand } from '~/core/lists'
import { textOf } from '~/language'
import { calendarDay, count, figure, moment, percent, price, shortOwnMoney } from '~/lib/format'
import { isDay } from '~/lib/today'
import { customerRoleName, roleName, warrantyName, warrantyPeriodName } from '~/lib/words'
import { choiceName } from '../choiceName'
import { relativeText } from './relative'

/**
 * Parses the conditions of a `filter` parameter. Omits invalid parts, which the server rejects with an error message.
 */
export function readConditions(filter: string): ConditionInput[] {
  try {
    const conditions: unknown = JSON.parse(filter || '[]')
    return Array.isArray(conditions) ? conditions.filter(isCondition) : []
  } catch {
    return []
  }
}

const isCondition = (value: Partial<ConditionInput> | null): value is ConditionInput =>
  typeof value?.field === 'string' && typeof value.op === 'string'

/** Returns the `filter` parameter for these conditions. */
export const writeConditions = (conditions: ConditionInput[]) =>
  conditions.length > 0 ? JSON.stringify(conditions) : ''

/** Returns each condition with its index and a React key, which is unique even if two conditions are equal. */
export const withKeys = (conditions: ConditionInput[]) =>
  conditions.map((condition, index) => ({
    condition,
    index,
    key: `${index} ${JSON.stringify(condition)}`,
  }))

/** Returns a field's name as screens show it. For a field without one, returns `name`, its name in the API. */
export const fieldName = (field: Pick<ListField, 'label'> | undefined, name: string) =>
  field?.label ? textOf(field.label) : name

const operators: Record<string, string> = {
  is: t`is`,
  is_not: t`is not`,
  in: t`is any of`,
  contains: t`contains`,
  starts_with: t`starts with`,
  is_empty: t`is empty`,
  is_not_empty: t`is not empty`,
  lt: t`is less than`,
  lte: t`is at most`,
  gt: t`is more than`,
  gte: t`is at least`,
  between: t`is between`,
}

const timeOperators: Record<string, string> = {
  ...operators,
  lt: t`is before`,
  lte: t`is until`,
  gt: t`is after`,
  gte: t`is from`,
}

/** Returns an operator in words, such as "is at least"; for dates and times, such as "is from". */
export const operatorName = (operator: string, kind: ListField['kind'] | undefined) =>
  (kind === 'date' || kind === 'time' ? timeOperators : operators)[operator] ?? operator

/** Formats a number as lists show it: as an amount with its currency, or as a plain number, by the field's kind. */
export const numberText = (number: number, kind: ListField['kind'] | undefined) =>
  kind === 'money'
    ? price(number)
    : kind === 'ownMoney' || kind === 'costs'
      ? shortOwnMoney(number)
      : kind === 'percent'
        ? percent(number)
        : figure(number)

/** What determines how a field's values are shown. */
export type ValueField = Pick<ListField, 'list' | 'name' | 'kind' | 'choices'>

/** Functions that return a text in words, by list and field. The filters of these fields offer some texts. */
const textNames: Partial<Record<ListName, Record<string, (text: string) => string>>> = {
  customers: { role: customerRoleName, warranty: warrantyName, warrantyPeriod: warrantyPeriodName },
  users: { role: roleName },
}

/** Formats a value as lists show it, by the field's kind. */
export function valueText(value: Operand, field: ValueField | undefined): string {
  const kind = field?.kind
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number') return numberText(value, kind)
  if (typeof value !== 'string') return ''
  if (kind === 'choice') return choiceName(value, field?.choices ?? [])
  if (kind === 'text' && field?.choices.length) return textNames[field.list]?.[field.name]?.(value) ?? value
  const relative = kind === 'date' || kind === 'time' ? relativeText(value) : undefined
  if (relative) return relative
  if (kind === 'date' && isDay(value)) return calendarDay(value)
  const isTime = kind === 'time' && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
  return isTime ? moment(value) : value
}

/** Returns the values of a condition in words; empty if it has none. */
export function conditionText({ op, value }: ConditionInput, field: ValueField | undefined): string {
  if (value === undefined || value === null) return ''
  // A part of a text is compared with texts as they are stored.
  if (op === 'contains' || op === 'starts_with') return valueText(value, undefined)
  if (!Array.isArray(value)) return valueText(value, field)
  const texts = value.map(item => valueText(item, field))
  const [first = '', second = ''] = texts
  if (op === 'between') return t`${first} and ${second}`
  const number = count(texts.length)
  return texts.length > 3 ? t`${number} values` : texts.join(', ')
}
