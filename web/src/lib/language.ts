import { type Language, language, rememberLanguage } from '~/language'

/** Says everything in this language from now on. The page opens anew in it; what is typed is kept, as over any reload. */
export function chooseLanguage(chosen: Language) {
  if (chosen === language) return
  rememberLanguage(chosen)
  location.reload()
}
