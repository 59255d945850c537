/**
 * The language of the screen. Whoever says a text imports this, if only through the macro, and so runs once the language
 * is there: texts may stand anywhere, even outside functions. Another language is a page opened anew.
 */
import { i18n as lingui } from '@lingui/core'
import type { Core, Language } from '~/core'
import { literal } from './literal'
import type { Swedish } from './swedish'

export type { Language }

export const i18n = literal(lingui)

/** The languages there are, each as it calls itself. */
export const languages = [
  { value: 'en', label: 'English' },
  { value: 'sv', label: 'Svenska' },
] as const satisfies { value: Language; label: string }[]

// public/theme.js reads it before the first paint.
const CHOSEN = 'language'

/** The language that was chosen on this device. */
export function chosenLanguage(): Language {
  try {
    return localStorage.getItem(CHOSEN) === 'sv' ? 'sv' : 'en'
  } catch {
    return 'en'
  }
}

let isReloadingPage = false

/** Opens the page anew. Nobody is asked to stay whose work is kept over that (see `Unsaved`). */
export function reloadPage() {
  isReloadingPage = true
  // Whoever was asked nonetheless, and stays, is asked again when they leave.
  addEventListener('beforeunload', () => setTimeout(() => (isReloadingPage = false)), { once: true })
  location.reload()
}

export const isReloading = () => isReloadingPage

export const storeLanguage = (language: Language) => localStorage.setItem(CHOSEN, language)

/** The language that this page was opened in; it is English nonetheless where Swedish couldn't be fetched. */
export const opened = chosenLanguage()

let swedish: Swedish | undefined
if (opened === 'sv') {
  try {
    swedish = await import('./swedish')
  } catch {
    // A page in English is better than none. The network may be back at the next one.
  }
}

/** The language that everything is said in, as `lang` names it. */
export const language: Language = swedish ? 'sv' : 'en'
/** The same for numbers and dates; an English page leaves dates to the browser. */
export const locale = swedish ? 'sv-SE' : 'en'
export const dateLocale = swedish ? 'sv-SE' : undefined

i18n.loadAndActivate({ locale, messages: swedish?.messages ?? {} })
if (typeof document !== 'undefined') document.documentElement.lang = language

let counts: Intl.NumberFormat | undefined

/** Formats a count with its thousands apart, as the sentences of core have them. */
export function count(value: number): string {
  // Few need a formatter, which takes milliseconds to make.
  if (value < 1000) return String(value)
  counts ??= new Intl.NumberFormat(locale)
  return counts.format(value)
}

/** A sentence or word of core, of the server or of a library, which are English, in the language of the screen. */
export const said: (sentence: string) => string = swedish ? swedish.translator(i18n) : sentence => sentence

/** Core, whose sentences are English, in the language of the screen. */
export const speaking = (core: Core): Core => (swedish ? swedish.speaking(core, said) : core)
