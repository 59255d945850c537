import { language, languages } from '~/language'
import { focusAfterSwitch, switchLanguage } from '~/lib/language'

const focusAfterChoice = focusAfterSwitch('sign-in')

/** A button for each language except the page's own, labelled in that language. */
export function LanguageChoice() {
  return languages
    .filter(({ value }) => value !== language)
    .map(({ value, label }) => (
      <button
        key={value}
        ref={focusAfterChoice}
        type="button"
        lang={value}
        onClick={() => switchLanguage(value, 'sign-in')}
        className="min-h-6 shrink-0 rounded font-medium hover:text-ink hover:underline touch:min-h-touch"
      >
        {label}
      </button>
    ))
}
