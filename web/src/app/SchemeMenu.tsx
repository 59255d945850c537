import { t } from '@lingui/core/macro'
import { Monitor } from 'lucide-react'
import { core } from '~/core'
import { useSession } from '~/lib/session'
import { setScheme, useScheme } from '~/lib/theme'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { Menu, MenuChoice } from '~/ui/Menu'
import { AccentMenu } from './AccentMenu'
import { schemes } from './schemes'

/** The menu of colour schemes (light, dark, system). For users who can set an accent colour, it has those too. */
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
      <MenuChoice
        value={chosen}
        choices={schemes.map(({ value, label, icon: Mark }) => ({
          value,
          label,
          mark: <Mark aria-hidden className="size-4 text-muted" />,
        }))}
        onChange={value => void setScheme(value)}
      />
      {core.isAdministrator(profile.type) && <AccentMenu />}
    </Menu>
  )
}
