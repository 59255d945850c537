import type { I18n, MessageDescriptor, MessageOptions } from '@lingui/core'

type Values = Record<string, unknown>

/** A backslash as Lingui reads it. */
const kept = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\\', '\\x5c') : value)

const written = (values?: Values) =>
  values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, kept(value)]))

/** Lingui reads `\x41` as an A, in its values too, which are what people typed. From now on they come out as they are. */
export function literal(i18n: I18n): I18n {
  const say: (message: string, values?: Values, options?: MessageOptions) => string = i18n._.bind(i18n)
  i18n._ = (message: string | MessageDescriptor, values?: Values, options?: MessageOptions) =>
    typeof message === 'string'
      ? say(message, written(values), options)
      : say(message.id, written(message.values), { message: message.message })
  return i18n
}
