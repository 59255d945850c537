import { language, languages } from '~/language'
import { switchLanguage } from '~/lib/language'

/** A button for each language except the page's own, labelled in that language. */
export function LanguageChoice() {
  return languages
    .filter(({ value }) => value !== language)
    .map(({ value, label }) => (
      <button
        key={value}
        type="button"
        lang={value}
        onClick={() => switchLanguage(value)}
        className="min-h-6 shrink-0 rounded font-medium hover:text-ink hover:underline touch:min-h-touch"
      >
        {label}
      </button>
    ))
}
