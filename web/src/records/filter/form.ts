import type { ConditionInput, ListField, Operand, Operator } from '~/core/lists'
import { textOf } from '~/language'
import { localDay } from '~/lib/today'
import type { Fields } from '../useFields'
import { choiceOf, EXACT } from './relative'

/** The values of a condition's form. */
export type ConditionForm = {
  field: string
  op: string
  first: string
  second: string
  /** For operators with any number of operands, the chosen ones of the values that the field offers. */
  choices: string[]
  /** For operators with any number of operands, the other values of a field that isn't a choice, one per line. */
  lines: string
}

/** The operator that a new condition has at first, by the kind of a field that offers no values. */
const initialOperators: Partial<Record<ListField['kind'], string>> = {
  text: 'contains',
  number: 'between',
  money: 'between',
  ownMoney: 'between',
  costs: 'between',
  date: 'between',
  time: 'between',
}

/** Returns the form values of a new condition on a field. */
export const emptyForm = (field: ListField): ConditionForm => {
  const names = field.operators.map(operator => operator.name)
  const op = field.choices.length > 0 ? 'in' : initialOperators[field.kind]
  return {
    field: field.name,
    op: op && names.includes(op) ? op : (names[0] ?? ''),
    first: '',
    second: '',
    choices: [],
    lines: '',
  }
}

/** Converts a timestamp to local time, in the format of an input of type `datetime-local`. Empty if it is invalid. */
function localTime(time: string): string {
  const at = new Date(time)
  // The string begins with the time, as in 09:05:00.
  return Number.isNaN(at.getTime()) ? '' : `${localDay(at)}T${at.toTimeString().slice(0, 5)}`
}

/** Returns an operand as the text of its input. */
const inputTextOf = (value: Operand | undefined, field: ListField) => {
  const text = value === undefined || value === null ? '' : String(value)
  return field.kind === 'time' && choiceOf(text) === EXACT ? localTime(text) : text
}

/** Returns the form values of an existing condition. */
export function formOf({ op, value }: ConditionInput, field: ListField): ConditionForm {
  const values = Array.isArray(value) ? value : value === undefined ? [] : [value]
  const texts = values.map(item => inputTextOf(item, field))
  const isOffered = (text: string) => field.kind === 'choice' || field.choices.includes(text)
  return {
    field: field.name,
    op,
    first: texts[0] ?? '',
    second: texts[1] ?? '',
    choices: texts.filter(isOffered),
    lines: texts.filter(text => !isOffered(text)).join('\n'),
  }
}

/** Returns the typed values in the order of the operator's operands. */
function textsOf(form: ConditionForm, field: ListField, operator: Operator | undefined): string[] {
  const operandText = (text: string) => {
    // A relative time is sent as it is: core validates its number of days.
    if (field.kind !== 'time' || choiceOf(text) !== EXACT) return text
    const at = new Date(text)
    // Without seconds, which the inputs don't have, core compares the whole minute.
    return Number.isNaN(at.getTime()) ? '' : at.toISOString().replace(':00.000Z', 'Z')
  }
  switch (operator?.operands) {
    case 'many':
      return [
        ...form.choices,
        ...form.lines
          .split('\n')
          .filter(line => line.trim() !== '')
          .map(operandText),
      ]
    case 'two':
      return [operandText(form.first), operandText(form.second)]
    case 'none':
      return []
    default:
      return [operandText(form.first)]
  }
}

/** Returns the operator and its operands. For a range with only one end, the operator is "at least" or "at most". */
function withOneBound(field: ListField | undefined, op: string, texts: string[]): [string, string[]] {
  const ends = texts.filter(text => text.trim() !== '')
  const bound = op === 'between' && ends.length === 1 ? (ends[0] === texts[0] ? 'gte' : 'lte') : ''
  // A time that is typed in part has no value. It must not be left out without a word.
  const isOffered = field?.kind !== 'time' && field?.operators.some(({ name }) => name === bound)
  return isOffered ? [bound, ends] : [op, texts]
}

/** Returns the condition that a form describes, or the error to show. `others` are the list's other conditions. */
export function readForm(
  { list, rules, find }: Fields,
  form: ConditionForm,
  others: ConditionInput[],
): { condition: ConditionInput } | { error: string; at: 'first' | 'second' | 'root' } {
  const field = find(form.field)
  const operator = field?.operators.find(({ name }) => name === form.op)
  const texts = field ? textsOf(form, field, operator) : []
  const [op, operands] = withOneBound(field, form.op, texts)
  const condition = rules.typedCondition(list, form.field, op, operands)
  // Of the whole filter only errors of the field `filter` count, such as too many conditions. The list shows the
  // others.
  const [error] = [
    ...rules.checkFilter(list, [condition]),
    ...rules.checkFilter(list, [...others, condition]).filter(({ field }) => field === 'filter'),
  ]
  if (!error) return { condition }
  // An error of one value is shown at its input, and one of the values together below the inputs.
  const isInvalid = (text: string) =>
    rules.checkFilter(list, [rules.typedCondition(list, form.field, 'is', [text])]).length > 0
  const input =
    operator?.operands === 'many'
      ? undefined
      : (['first', 'second'] as const)[texts.findIndex(text => operands.includes(text) && isInvalid(text))]
  return { error: textOf(error.message), at: input ?? 'root' }
}
