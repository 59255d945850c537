/** The Swedish translations, loaded only in Swedish. Must not import a module that waits for the language. */
import type { I18n, Messages } from '@lingui/core'
import { messages as auth } from '../locales/sv/auth.po'
import { messages as contacts } from '../locales/sv/contacts.po'
import { messages as core } from '../locales/sv/core.po'
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
import { type Pattern, patternOf } from './pattern'

export { translateCore } from './translateCore'

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
  // Last, because its ids are the messages themselves.
  ...core,
}

// Patterns with more fixed text first, because they are more specific.
const patterns: Pattern[] = Object.keys(core)
  .flatMap(id => patternOf(id) ?? [])
  .sort((one, other) => other.weight - one.weight)

const WHOLE = /^\d+$|^\d{1,3}(?:,\d{3})+$/
const number = (text: string) =>
  WHOLE.test(text) ? new Intl.NumberFormat('sv-SE').format(Number(text.replaceAll(',', ''))) : text

/** Translates a list in core's format: “A”, “B” and 2 more. */
const names = (text: string) =>
  text
    .replace(/ and (\S+) more$/, (_, more) => ` och ${number(more)} till`)
    .replace(/ and (“[^“]*”)$/, ' och $1')

/** Returns a function that translates core's messages. It returns other texts unchanged. */
export function translator(i18n: I18n) {
  const said = (sentence: string): string => {
    if (Object.hasOwn(core, sentence)) return i18n._(sentence)
    for (const { id, expression, places } of patterns) {
      const found = expression.exec(sentence)
      if (!found) continue
      const values = places.map((place, index) => [place, read(place, found[index + 1] ?? '')])
      return i18n._(id, Object.fromEntries(values))
    }
    return sentence
  }
  const read = (place: string, text: string) => {
    if (place.startsWith('number')) return number(text)
    if (place.startsWith('names')) return names(text)
    return place === 'word' ? said(text) : text
  }
  return said
}
