import { t } from '@lingui/core/macro'
import { Keyboard, LayoutDashboard, LogOut, type LucideIcon, Plus, Upload } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '~/lib/paths'
import { navigationOf } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { setScheme, useScheme } from '~/lib/theme'
import { iconOf } from '~/ui/icons'
import { accountPages } from '../accountPages'
import type { MenuTarget } from '../MenuLinks'
import { useSignOut } from '../SignOut'
import { schemes } from '../schemes'
import { mayCreate, useCreate } from '../useCreate'
import type { LocalEntry } from './entry'

/** Returns palette entries for the pages in the user's menus. */
export function useScreens(): LocalEntry[] {
  const session = useSession()
  const navigate = useNavigate()
  return useMemo(() => {
    const { main, profile: administration } = navigationOf(session.resources)
    const targets = [...main, ...administration].flatMap(entry =>
      entry.subresources.length === 0
        ? [entry]
        : entry.subresources.map(part => ({ ...part, also: entry.title })),
    )
    const screen = ({ title, route, icon, also }: MenuTarget & { also?: string }): LocalEntry => ({
      id: route,
      title,
      also,
      icon: iconOf(icon),
      choose: () => void navigate(route),
    })
    const home = { ...screen({ title: t`Dashboard`, route: paths.home, icon: '' }), icon: LayoutDashboard }
    return [{ ...home, also: t`home` }, ...[...targets, ...accountPages(session)].map(screen)]
  }, [session, navigate])
}

/** Returns palette entries for actions that are available on every page, such as creating a record or signing out. */
export function useActions(onShortcuts: () => void): LocalEntry[] {
  const { resources } = useSession()
  const { creatable, create } = useCreate()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const scheme = useScheme()
  const action = (title: string, icon: LucideIcon, choose: () => void, also?: string): LocalEntry => ({
    id: title,
    title,
    icon,
    also,
    choose,
  })
  return [
    ...creatable.map(kind => action(kind.create.title, Plus, () => create(kind), kind.create.also)),
    ...(mayCreate(resources, paths.contacts)
      ? [action(t`Import Contacts`, Upload, () => void navigate(paths.newImport), t`file csv excel upload`)]
      : []),
    ...schemes.map(({ value, label, icon }) => ({
      ...action(t`Colour scheme: ${label}`, icon, () => void setScheme(value), t`theme mode color`),
      note: value === scheme ? t`Chosen` : undefined,
    })),
    action(t`Keyboard shortcuts`, Keyboard, onShortcuts, t`keys help`),
    action(t`Sign out`, LogOut, signOut, t`log off leave`),
  ]
}
