import { Keyboard, LayoutDashboard, LogOut, type LucideIcon, Plus, Upload } from 'lucide-react'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { core, type PermissionResource } from '~/core'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import { chooseScheme, useScheme } from '~/lib/theme'
import { toBegin } from '~/ui/begin'
import { iconOf } from '~/ui/icons'
import { shortcutOf } from '~/ui/shortcuts'
import type { MenuTarget } from '../MenuLinks'
import { ownScreens } from '../ownScreens'
import { schemes } from '../schemes'
import { useSignOut } from '../useSignOut'
import type { Known } from './entry'
import { isOpen } from './kinds'

/** What can be begun, and the screen whose button begins it. */
const beginnings = [
  { title: 'New Customer', also: 'add create', route: paths.customers },
  { title: 'New Contact', also: 'add create', route: paths.contacts },
  { title: 'New Invoice', also: 'add create', route: paths.invoices },
  { title: 'New User', also: 'add create person', route: paths.users },
  { title: 'New Role', also: 'add create', route: paths.roles },
  { title: 'New Corporation', also: 'add create', route: paths.corporations },
]

const mayCreate = (resources: PermissionResource[], route: string) =>
  core.permissionsForRoute(resources, route).can_create === true && isOpen(resources, route)

/** The screens that the person's menus lead to. */
export function useScreens(): Known[] {
  const { profile, resources } = useSession()
  const navigate = useNavigate()
  return useMemo(() => {
    const { main, profile: administration } = core.navigation(resources)
    const targets = [...main, ...administration].flatMap(entry =>
      entry.subresources.length === 0
        ? [entry]
        : entry.subresources.map(part => ({ ...part, also: entry.title })),
    )
    const screen = ({ title, route, icon, also }: MenuTarget & { also?: string }): Known => ({
      id: route,
      title,
      also,
      icon: iconOf(icon),
      choose: () => void navigate(route),
    })
    const home = { ...screen({ title: 'Dashboard', route: paths.home, icon: '' }), icon: LayoutDashboard }
    return [{ ...home, also: 'home' }, ...[...targets, ...ownScreens(profile)].map(screen)]
  }, [profile, resources, navigate])
}

/** What the person may do from anywhere. */
export function useActions(onShortcuts: () => void): Known[] {
  const { resources } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const scheme = useScheme()
  const action = (title: string, icon: LucideIcon, choose: () => void, also?: string): Known => ({
    id: title,
    title,
    icon,
    also,
    choose,
  })
  const begin = (route: string) => {
    // Who is there already keeps what the list shows.
    const here = pathname === route ? shortcutOf('n') : undefined
    if (here) here.run()
    else void navigate(route, { state: toBegin() })
  }
  return [
    ...beginnings
      .filter(({ route }) => mayCreate(resources, route))
      .map(({ title, also, route }) => action(title, Plus, () => begin(route), also)),
    ...(mayCreate(resources, paths.contacts)
      ? [action('Import Contacts', Upload, () => void navigate(paths.newImport), 'file csv excel upload')]
      : []),
    ...schemes.map(({ value, label, icon }) => ({
      ...action(`Colour scheme: ${label}`, icon, () => void chooseScheme(value), 'theme mode color'),
      note: value === scheme ? 'Chosen' : undefined,
    })),
    action('Keyboard shortcuts', Keyboard, onShortcuts, 'keys help'),
    action('Sign out', LogOut, () => void signOut(), 'log off leave'),
  ]
}
