/** The Swedish translations, loaded only in Swedish. Must not import a module that waits for the language. */
import type { Messages } from '@lingui/core'
import type { Message, Parameter } from '~/core/types'
import { messages as auth } from '../locales/sv/auth.po'
import { messages as contacts } from '../locales/sv/contacts.po'
import core from '../locales/sv/core.po?raw'
import { messages as corporations } from '../locales/sv/corporations.po'
import { messages as customers } from '../locales/sv/customers.po'
import { messages as dashboard } from '../locales/sv/dashboard.po'
import { messages as frame } from '../locales/sv/frame.po'
import { messages as imports } from '../locales/sv/import.po'
import { messages as invoices } from '../locales/sv/invoices.po'
import { messages as profile } from '../locales/sv/profile.po'
import { messages as roles } from '../locales/sv/roles.po'
import { messages as subscriptions } from '../locales/sv/subscriptions.po'
import { messages as users } from '../locales/sv/users.po'

export const messages: Messages = {
  ...auth,
  ...contacts,
  ...corporations,
  ...customers,
  ...dashboard,
  ...frame,
  ...imports,
  ...invoices,
  ...profile,
  ...roles,
  ...subscriptions,
  ...users,
}

/** The sentences of core's messages, by code. */
const sentences = new Map(
  [...core.matchAll(/^msgid "(.+)"\nmsgstr (".+")$/gm)].map(([, code, json]) => [
    code,
    JSON.parse(json ?? ''),
  ]),
) as ReadonlyMap<string, string>

/** Returns the Swedish sentence of a message; undefined if its code has none. `count` formats a number. */
export function sentenceOf(
  { code, parameters = {} }: Message,
  count: (value: number) => string,
): string | undefined {
  const show = (value: Parameter | undefined): string => {
    if (typeof value === 'number') return count(value)
    if (typeof value === 'string') return value
    if (Array.isArray(value))
      return join(value.map(item => (typeof item === 'string' ? `“${item}”` : `${show(item)} till`)))
    return value ? (sentenceOf(value, count) ?? value.text) : ''
  }
  return sentences.get(code)?.replace(/\{(\w+)\}/g, (_, name: string) => show(parameters[name]))
}

const join = (items: string[]) =>
  items.length > 1 ? `${items.slice(0, -1).join(', ')} och ${items.at(-1)}` : (items[0] ?? '')
