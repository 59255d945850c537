import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { Link } from 'react-router'
import { Button, type ButtonKind, buttonClass } from './Button'
import { DangerSeparator, InMenu, Menu, MenuItems } from './Menu'

/** The menu of a page's less important actions. */
export function MoreMenu({ children }: { children: ReactNode }) {
  return (
    <Menu
      trigger={
        <Button aria-label={t`More actions`} className="w-touch flex-none! px-0!">
          <Ellipsis aria-hidden className="size-5" />
        </Button>
      }
    >
      <MenuItems>{children}</MenuItems>
    </Menu>
  )
}

type LinkProps = { to: string; icon: LucideIcon; children: ReactNode }

/** A link that looks like a button; in `MenuItems`, an item of the menu. */
export function ActionLink({ to, icon: Icon, children }: LinkProps) {
  if (useContext(InMenu)) {
    return (
      <Base.LinkItem closeOnClick render={<Link to={to} />} className="option">
        <Icon aria-hidden className="size-4.5" />
        {children}
      </Base.LinkItem>
    )
  }
  return (
    <Link to={to} className={buttonClass()}>
      <Icon aria-hidden className="size-4" />
      {children}
    </Link>
  )
}

type ButtonProps = { icon: LucideIcon; kind?: ButtonKind; onClick: () => void; children: ReactNode }

/** A button with an icon and a text; in `MenuItems`, an item of the menu. */
export function ActionButton({ icon: Icon, kind, onClick, children }: ButtonProps) {
  if (useContext(InMenu)) {
    return (
      <>
        {kind === 'danger' && <DangerSeparator />}
        <Base.Item className={kind === 'danger' ? 'option text-danger' : 'option'} onClick={onClick}>
          <Icon aria-hidden className="size-4.5" />
          {children}
        </Base.Item>
      </>
    )
  }
  return (
    <Button kind={kind} onClick={onClick}>
      <Icon aria-hidden className="size-4" />
      {children}
    </Button>
  )
}
