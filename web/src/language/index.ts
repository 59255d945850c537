/**
 * The language of the app. A module that imports this one, also indirectly through the Lingui macro, runs only once the
 * translations have loaded, so it can translate texts in its top-level code. Changing the language reloads the page.
 */
import { i18n as lingui } from '@lingui/core'
import type { Language, Message } from '~/core'
import { keepBackslashes } from './literal'
import { englishFor } from './regional'

export type { Language }

export const i18n = keepBackslashes(lingui)

/** The available languages, each in its own name. */
export const languages = [
  { value: 'en', label: 'English' },
  { value: 'sv', label: 'Svenska' },
] as const satisfies { value: Language; label: string }[]

// Storage key. public/theme.js reads the value before the first paint.
const CHOSEN = 'language'

/** The language chosen on this device. */
function chosenLanguage(): Language {
  try {
    return localStorage.getItem(CHOSEN) === 'sv' ? 'sv' : 'en'
  } catch {
    return 'en'
  }
}

let isReloadingPage = false

/** Reloads the page without asking about unsaved changes that a draft preserves (see `Unsaved`). */
export function reloadPage() {
  isReloadingPage = true
  // If the browser asked anyway and the user stayed on the page, later reloads ask again.
  addEventListener('beforeunload', () => setTimeout(() => (isReloadingPage = false)), { once: true })
  location.reload()
}

export const isReloading = () => isReloadingPage

export const storeLanguage = (language: Language) => localStorage.setItem(CHOSEN, language)

/**
 * The language chosen when the page was loaded. The page may still be in English if the Swedish texts failed to load.
 */
export const languageAtLoad = chosenLanguage()

let swedish: typeof import('./swedish') | undefined
if (languageAtLoad === 'sv') {
  try {
    swedish = await import('./swedish')
  } catch {
    // The page is shown in English if the translations failed to load. The next load of the page tries again.
  }
}

/** The language of the texts, as in the `lang` attribute. */
export const language: Language = swedish ? 'sv' : 'en'
/** The locale of counts, file sizes and lists of names: the same as that of the texts. */
export const locale = swedish ? 'sv-SE' : 'en'
/** The locale of prices and the numbers of records. An English page uses the browser's own (`undefined`). */
export const regionalLocale = swedish ? 'sv-SE' : undefined
/**
 * The locale of dates and the dashboard's amounts, which have words: the language of the page, formats of the region.
 */
export const dateLocale = swedish
  ? 'sv-SE'
  : typeof navigator === 'undefined'
    ? undefined
    : englishFor(navigator.language)

i18n.loadAndActivate({ locale, messages: swedish?.messages ?? {} })
if (typeof document !== 'undefined') document.documentElement.lang = language

let counts: Intl.NumberFormat | undefined

/** Formats a count with thousands separators. */
export function count(value: number): string {
  // Below 1,000 there is no separator, so no formatter is needed, whose creation takes milliseconds.
  if (value < 1000) return String(value)
  counts ??= new Intl.NumberFormat(locale)
  return counts.format(value)
}

/** Returns the sentences of several messages, separated by commas. */
export const sentencesOf = (messages: Message[] = []): string => messages.map(textOf).join(', ')

/** Returns the sentence of a message of core or the server in the app's language. */
export const textOf = (message: Message): string => swedish?.sentenceOf(message, count) ?? message.text
