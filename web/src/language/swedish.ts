/**
 * The Swedish translations, loaded only if the language is Swedish. Must not import `~/language`, which awaits this
 * module.
 */
import type { Messages } from '@lingui/core'
import type { Message, Parameter } from '~/core'
import core from '../locales/sv/core.po?raw'

const catalogues = import.meta.glob<{ messages: Messages }>(
  ['../locales/sv/*.po', '!../locales/sv/core.po'],
  {
    eager: true,
  },
)

export const messages: Messages = Object.assign(
  {},
  ...Object.values(catalogues).map(({ messages }) => messages),
)

/** The Swedish sentences of the messages of core and the server, by the message's code. */
const sentences = new Map(
  [...core.matchAll(/^msgid "(.+)"\nmsgstr (".+")$/gm)].map(([, code, json]) => [
    code,
    JSON.parse(json ?? ''),
  ]),
) as ReadonlyMap<string, string>

/** Returns the Swedish sentence of a message; undefined if its code has none. `count` formats a number parameter. */
export function sentenceOf(
  { code, parameters = {} }: Message,
  count: (value: number) => string,
): string | undefined {
  const show = (value: Parameter | undefined): string => {
    if (typeof value === 'number') return count(value)
    if (typeof value === 'string') return value
    if (Array.isArray(value))
      return join(value.map(item => (typeof item === 'number' ? `${show(item)} till` : `”${show(item)}”`)))
    return value ? (sentenceOf(value, count) ?? value.text) : ''
  }
  return sentences.get(code)?.replace(/\{(\w+)\}/g, (_, name: string) => show(parameters[name]))
}

const join = (items: string[]) =>
  items.length > 1 ? `${items.slice(0, -1).join(', ')} och ${items.at(-1)}` : (items[0] ?? '')
