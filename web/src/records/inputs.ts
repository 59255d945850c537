import { regionalLocale } from '~/language'
import { once } from '~/lib/once'

/** Whether the decimal separator is a comma, which core accepts, too. */
const hasComma = once(() => new Intl.NumberFormat(regionalLocale).format(0.5).includes(','))

/** Returns a value as the text of an input; '' for no value. A number that is not whole has two decimals. */
export function inputText(value: unknown): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value ?? '')
  const text = value.toFixed(2)
  return hasComma() ? text.replace('.', ',') : text
}

/**
 * Returns a record's values of these fields as the texts that a form's inputs have; without a record, those of the form
 * of a new record, which are empty except for `initial`. Numbers are texts, too: core parses them without rounding.
 */
export const inputsOf = <R extends object, N extends keyof R & string>(
  names: readonly N[],
  record: R | undefined,
  initial: Partial<Record<N, string>> = {},
) =>
  Object.fromEntries(names.map(name => [name, inputText(record ? record[name] : initial[name])])) as Record<
    N,
    string
  >
