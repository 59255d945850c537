import { Menu as Base } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import { Link } from 'react-router'

/** A link in a menu; choosing it closes the menu. */
export function MenuLink({ to, icon: Icon, title }: { to: string; icon: LucideIcon; title: string }) {
  return (
    <Base.LinkItem closeOnClick render={<Link to={to} />} className="option">
      <Icon aria-hidden className="size-4 text-muted" />
      {title}
    </Base.LinkItem>
  )
}
