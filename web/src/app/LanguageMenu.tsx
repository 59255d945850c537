import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { language, languages } from '~/language'
import { switchLanguage } from '~/lib/language'
import { useSession } from '~/lib/session'
import { storedValue } from '~/lib/storedValue'
import { fromPageEntry } from '~/ui/dialogHistory'
import { MenuChoice } from '~/ui/Menu'

/** Set while the page reloads because of a choice in this menu. */
const isChosen = storedValue<true>('sessionStorage', 'languageChosen')

/** Focuses the button of the menu if the page has been reloaded because of a choice in it. */
export function focusAfterChoice(button: HTMLElement | null) {
  if (!button || !isChosen.read()) return
  isChosen.forget()
  button.focus()
}

export function LanguageMenu() {
  const { profile } = useSession()
  return (
    <Base.Group className="my-1.5 border-y border-line py-1.5">
      <Base.GroupLabel className="px-2.5 py-1 text-xs text-muted">{t`Language`}</Base.GroupLabel>
      <MenuChoice
        value={language}
        choices={languages.map(({ value, label }) => ({ value, label, lang: value }))}
        onChange={value => {
          if (value !== language) isChosen.save(true)
          // On a phone, leaving the history entry of the menu would cancel the reload of the page.
          void fromPageEntry(() => switchLanguage(value, profile.id))
        }}
      />
    </Base.Group>
  )
}
