import { ChevronDown } from 'lucide-react'
import { NavLink, useLocation } from 'react-router'
import type { MenuEntry } from '~/core'
import { cx } from '~/ui/cx'
import { iconOf } from '~/ui/icons'
import { Menu } from '~/ui/Menu'
import { MenuLink } from './MenuLink'

const link = 'inline-flex h-9 items-center gap-1.5 rounded-lg px-3 font-medium transition-colors touch:h-11'
const here = 'bg-soft text-accent-text'
const elsewhere = 'text-muted hover:bg-subtle hover:text-ink'

/** Does this address lie at or below that one? */
const isBelow = (address: string, route: string) => address === route || address.startsWith(`${route}/`)

/** The main resources across the top bar; those with subresources open a menu. */
export function MainNav({ entries }: { entries: MenuEntry[] }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Main" className="hidden md:block">
      <ul className="flex items-center gap-1">
        {entries.map(entry => (
          <li key={entry.resource_id}>
            {entry.subresources.length === 0 ? (
              <NavLink to={entry.route} className={({ isActive }) => cx(link, isActive ? here : elsewhere)}>
                {entry.title}
              </NavLink>
            ) : (
              <Menu
                align="start"
                trigger={
                  <button
                    type="button"
                    className={cx(link, isBelow(pathname, entry.route) ? here : elsewhere)}
                  >
                    {entry.title}
                    <ChevronDown aria-hidden className="size-4" />
                  </button>
                }
              >
                {entry.subresources.map(sub => (
                  <MenuLink key={sub.resource_id} to={sub.route} icon={iconOf(sub.icon)} title={sub.title} />
                ))}
              </Menu>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
