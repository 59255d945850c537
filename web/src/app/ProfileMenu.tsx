import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { ChevronDown, LogOut } from 'lucide-react'
import { useMemo } from 'react'
import type { MenuEntry } from '~/core'
import { fullName, useSession } from '~/lib/session'
import { userTypeNames } from '~/lib/words'
import { Avatar } from '~/ui/Avatar'
import { Menu } from '~/ui/Menu'
import { accountPages } from './accountPages'
import { focusAfterChoice, LanguageMenu } from './LanguageMenu'
import { MenuLinks } from './MenuLinks'
import { useSignOut } from './SignOut'

/** The profile menu: the user's name, links to administration and account pages, and sign-out. */
export function ProfileMenu({ entries }: { entries: MenuEntry[] }) {
  const session = useSession()
  const { profile } = session
  const pages = useMemo(() => accountPages(session), [session])
  const signOut = useSignOut()
  const name = fullName(profile)
  return (
    <Menu
      trigger={
        <button
          type="button"
          ref={focusAfterChoice}
          className="flex h-11 min-w-0 items-center gap-2.5 rounded-lg px-1.5 text-left transition-colors hover:bg-subtle"
        >
          <Avatar name={name} picture={profile.profileImage} />
          <span className="sr-only">{t`Profile menu of`} </span>
          <span className="max-w-48 min-w-0 max-lg:sr-only">
            <span className="block truncate leading-4.5 font-medium">{name} </span>
            <span className="block truncate text-xs leading-4 text-muted">{profile.email}</span>
          </span>
          <ChevronDown aria-hidden className="hidden size-4 shrink-0 text-muted lg:block" />
        </button>
      }
    >
      <div className="max-w-69 border-b border-line px-2.5 pt-1.5 pb-2.5 [overflow-wrap:anywhere]">
        <div className="font-medium">{name}</div>
        <div className="text-xs text-muted">{profile.email}</div>
        <div className="mt-1 text-xs text-muted">
          {userTypeNames[profile.type]} · {profile.corp.corp_name}
        </div>
      </div>
      <div className="pt-1.5">
        <MenuLinks entries={[...entries, ...pages]} />
        <LanguageMenu />
        <Base.Item className="option" onClick={signOut}>
          <LogOut aria-hidden className="size-4 text-muted" />
          {t`Sign out`}
        </Base.Item>
      </div>
    </Menu>
  )
}
