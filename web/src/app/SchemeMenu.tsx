import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Check, Monitor } from 'lucide-react'
import { core } from '~/core'
import { useSession } from '~/lib/session'
import { chooseScheme, type Scheme, useScheme } from '~/lib/theme'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { Menu } from '~/ui/Menu'
import { AccentMenu } from './AccentMenu'
import { schemes } from './schemes'

/** Light, dark, or as the device has it; and the accent, for those who also have it in their settings. */
export function SchemeMenu() {
  const { profile } = useSession()
  const chosen = useScheme()
  const Icon = schemes.find(scheme => scheme.value === chosen)?.icon ?? Monitor
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t`Colour scheme`}
          title={t`Colour scheme`}
          className={iconButtonClass}
        >
          <Icon aria-hidden className="size-4.5" />
        </button>
      }
    >
      <Base.RadioGroup value={chosen} onValueChange={(value: Scheme) => void chooseScheme(value)}>
        {schemes.map(({ value, label, icon: Mark }) => (
          <Base.RadioItem key={value} value={value} closeOnClick className="option">
            <Mark aria-hidden className="size-4 text-muted" />
            <span className="flex-1">{label}</span>
            <Base.RadioItemIndicator>
              <Check aria-hidden className="size-4" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
      {core.maySetForAll(profile.type) && <AccentMenu />}
    </Menu>
  )
}
