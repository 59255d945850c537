import type { I18n, MessageDescriptor, MessageOptions } from '@lingui/core'

type Values = Record<string, unknown>

/** Escapes the backslashes of a string for Lingui. Other values stay. */
const escapeBackslashes = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\\', '\\x5c') : value

const escapeValues = (values?: Values) =>
  values &&
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeBackslashes(value)]))

/** Changes `i18n` so that it shows values with backslashes as they are. Lingui would read `\x41` in a user's text as an A. */
export function keepBackslashes(i18n: I18n): I18n {
  const say: (message: string, values?: Values, options?: MessageOptions) => string = i18n._.bind(i18n)
  i18n._ = (message: string | MessageDescriptor, values?: Values, options?: MessageOptions) =>
    typeof message === 'string'
      ? say(message, escapeValues(values), options)
      : say(message.id, escapeValues(message.values), { message: message.message })
  return i18n
}
