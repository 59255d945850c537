import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Ellipsis, House, Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { Link, useLocation } from 'react-router'
import type { Navigation } from '~/core'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import type { CorporationBrand } from '~/ui/Brand'
import { iconOf } from '~/ui/icons'
import { Menu } from '~/ui/Menu'
import { accountEntries } from './accountPages'
import { ariaCurrentFor, entriesWithPage } from './currentLink'
import { NavigationPanel } from './NavigationPanel'
import { useCreate } from './useCreate'

const tabClass =
  'flex h-(--tab) w-full flex-col items-center justify-center gap-0.5 px-0.5 text-[min(0.75rem,3.4vw)] low:min-[480px]:flex-row low:min-[480px]:gap-[0.6em] low:min-[480px]:text-[min(0.75rem,2.2vw)] leading-normal text-muted aria-[current]:font-medium aria-[current]:text-accent-text'

type Props = { brand: ComponentProps<typeof CorporationBrand>; navigation: Navigation }

/**
 * The navigation at the bottom of a phone: the tabs that core chooses, a menu that creates records, and all other
 * links. Hidden if there are no links, and while the on-screen keyboard is open (`tab-bar` in bars.css).
 */
export function TabBar({ brand, navigation }: Props) {
  const { pathname } = useLocation()
  const { tabs, main, profile } = navigation
  const session = useSession()
  const account = useMemo(() => accountEntries(session), [session])
  if (main.length + profile.length === 0) return null
  const entries = entriesWithPage([...main, ...profile, ...account])
  const markOf = ariaCurrentFor(entries, pathname)
  // A tab has no menu, so it leads to the first page of its resource.
  const links = tabs.map(entry => ({ ...entry, route: entry.subresources[0]?.route ?? entry.route }))
  const [first, second] = links.map(({ resource_id, title, route, icon }) => {
    const Icon = iconOf(icon)
    return (
      <Tab
        key={resource_id}
        to={route}
        mark={markOf(route)}
        icon={<Icon aria-hidden className="size-[1.83em]" />}
      >
        {title}
      </Tab>
    )
  })
  const isElsewhere = entries.some(({ route }) => markOf(route)) && !links.some(({ route }) => markOf(route))
  return (
    <nav aria-label={t`Tabs`} className="tab-bar">
      <ul className="grid auto-cols-fr grid-flow-col">
        <Tab
          to={paths.home}
          mark={pathname === paths.home || pathname === paths.adminHome ? 'page' : undefined}
          icon={<House aria-hidden className="size-[1.83em]" />}
        >
          {t({ message: 'Home', context: 'tab' })}
        </Tab>
        {first}
        <CreateMenu />
        {second}
        <li className="min-w-0">
          <NavigationPanel
            brand={brand}
            navigation={navigation}
            side="right"
            trigger={
              <button type="button" aria-current={isElsewhere || undefined} className={tabClass}>
                <Ellipsis aria-hidden className="size-[1.83em]" />
                {t`More`}
              </button>
            }
          />
        </li>
      </ul>
    </nav>
  )
}

type TabProps = { to: string; mark: 'page' | 'true' | undefined; icon: ReactNode; children: ReactNode }

function Tab({ to, mark, icon, children }: TabProps) {
  return (
    <li className="min-w-0">
      <Link to={to} aria-current={mark} className={tabClass}>
        {icon}
        <span className="max-w-full truncate">{children}</span>
      </Link>
    </li>
  )
}

function CreateMenu() {
  const { creatable, create } = useCreate()
  if (creatable.length === 0) return null
  return (
    <li className="grid min-w-0 place-items-center">
      <Menu
        align="center"
        trigger={
          <button
            type="button"
            aria-label={t`Create`}
            className="relative flex h-[calc(var(--tab)-8px)] w-[calc(var(--tab)-4px)] items-center after:absolute after:-inset-1 justify-center rounded-xl bg-fill text-on-fill hover:bg-fill-hover"
          >
            <Plus aria-hidden className="size-6 max-h-2/3" />
          </button>
        }
      >
        {creatable.map(kind => {
          const Icon = iconOf(kind.icon)
          return (
            <Base.Item key={kind.resource} className="option max-md:min-h-12" onClick={() => create(kind)}>
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              {kind.create.title}
            </Base.Item>
          )
        })}
      </Menu>
    </li>
  )
}
