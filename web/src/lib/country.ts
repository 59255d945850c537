import type { ListsCore } from '~/core/lists'
import { locale } from '~/language'

/**
 * Returns the country to suggest for a new corporation: that of a language of the browser or the page, such
 * as FI of "sv-FI". If none has one, the most likely country of a language, such as SE of "sv".
 */
export function suggestedCountry(rules: ListsCore): string {
  const locales = [...navigator.languages, locale].map(parseLocale)
  const regions = [...locales, ...locales.map(each => each?.maximize())].map(each => each?.region)
  return rules.suggestedCountry(regions.filter(region => region !== undefined))
}

/** Returns undefined for a language that is not valid, such as "en-US@posix", which some browsers have. */
function parseLocale(language: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(language)
  } catch {
    return undefined
  }
}
