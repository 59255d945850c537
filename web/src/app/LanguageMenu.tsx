import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { type Language, language, languages } from '~/language'
import { chooseLanguage } from '~/lib/language'
import { useSession } from '~/lib/session'

/** The languages, as a part of a menu. */
export function LanguageMenu() {
  const { profile } = useSession()
  return (
    <Base.Group className="my-1.5 border-y border-line py-1.5">
      <Base.GroupLabel className="px-2.5 py-1 text-xs text-muted">{t`Language`}</Base.GroupLabel>
      <Base.RadioGroup
        value={language}
        onValueChange={(value: Language) => chooseLanguage(value, profile.id)}
      >
        {languages.map(({ value, label }) => (
          <Base.RadioItem key={value} value={value} lang={value} closeOnClick className="option">
            <span className="flex-1">{label}</span>
            <Base.RadioItemIndicator>
              <Check aria-hidden className="size-4" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}
