import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { language, languages } from '~/language'
import { focusAfterSwitch, switchLanguage } from '~/lib/language'
import { useSession } from '~/lib/session'
import { fromPageEntry } from '~/ui/dialogHistory'
import { MenuChoice } from '~/ui/Menu'

/** The ref of the menu's button. */
export const focusAfterChoice = focusAfterSwitch('menu')

export function LanguageMenu() {
  const { profile } = useSession()
  return (
    <Base.Group className="my-1.5 border-y border-line py-1.5">
      <Base.GroupLabel className="px-2.5 py-1 text-xs text-muted">{t`Language`}</Base.GroupLabel>
      <MenuChoice
        value={language}
        choices={languages.map(({ value, label }) => ({ value, label, lang: value }))}
        onChange={value => {
          // On a phone, leaving the history entry of the menu would cancel the reload of the page.
          void fromPageEntry(() => switchLanguage(value, 'menu', profile.id))
        }}
      />
    </Base.Group>
  )
}
