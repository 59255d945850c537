import type { ListsCore } from '~/core/lists'
import { regionalLocale } from '~/language'

/** Returns the country to suggest for a new corporation, by the page's and the browser's languages. */
export function suggestedCountry(rules: ListsCore): string {
  const languages = [regionalLocale ?? [], ...navigator.languages].flat()
  return rules.suggestedCountry(languages.flatMap(regionOf))
}

/** Returns the region of a language; if it has none, the most likely one, such as SE for Swedish. */
function regionOf(language: string): string | [] {
  try {
    return new Intl.Locale(language).maximize().region ?? []
  } catch {
    // Some browsers have a language that is not valid, such as "en-US@posix".
    return []
  }
}
