import { Menu as Base } from '@base-ui/react/menu'
import { Link, useLocation } from 'react-router'
import { iconOf } from '~/ui/icons'
import { ariaCurrentFor } from './currentLink'

export type MenuTarget = { title: string; route: string; icon: string }

/** Renders links as items of a menu. Choosing one closes the menu. */
export function MenuLinks({ entries }: { entries: MenuTarget[] }) {
  const { pathname } = useLocation()
  const markOf = ariaCurrentFor(entries, pathname)
  return entries.map(({ title, route, icon }) => {
    const Icon = iconOf(icon)
    return (
      <Base.LinkItem
        key={route}
        closeOnClick
        aria-current={markOf(route)}
        render={<Link to={route} />}
        className="option aria-[current]:font-medium aria-[current]:text-accent-text"
      >
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        {title}
      </Base.LinkItem>
    )
  })
}
