import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { MenuEntry } from '~/core'
import { cx } from '~/ui/cx'
import { Menu } from '~/ui/Menu'
import { ariaCurrentFor } from './currentLink'
import { MenuLinks } from './MenuLinks'

const link =
  'inline-flex h-9 items-center gap-1.5 rounded-lg px-3 font-medium transition-colors touch:h-touch'
const active = 'bg-soft text-accent-text'
const inactive = 'text-muted hover:bg-subtle hover:text-ink'

/** The main navigation in the top bar. Entries with subresources open a menu. */
export function MainNav({ entries }: { entries: MenuEntry[] }) {
  const { pathname } = useLocation()
  const markOf = ariaCurrentFor(entries, pathname)
  return (
    // Scrolls if the entries don't fit. The padding leaves room for focus rings.
    <nav
      aria-label={t`Main`}
      className="-mx-1 hidden min-w-0 overflow-x-auto p-1 [scrollbar-width:none] md:block"
    >
      <ul className="flex w-max items-center gap-1">
        {entries.map(entry => {
          const mark = markOf(entry.route)
          const look = cx(link, mark ? active : inactive)
          return (
            <li key={entry.resource_id}>
              {entry.subresources.length === 0 ? (
                <Link to={entry.route} aria-current={mark} className={look}>
                  {entry.title}
                </Link>
              ) : (
                <Menu
                  align="start"
                  trigger={
                    <button type="button" aria-current={mark && 'true'} className={look}>
                      {entry.title}
                      <ChevronDown aria-hidden className="size-4" />
                    </button>
                  }
                >
                  <MenuLinks entries={entry.subresources} />
                </Menu>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
