import { t } from '@lingui/core/macro'
import { ChevronDown, ChevronUp, type LucideIcon } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { cx } from '~/ui/cx'
import { WithTip } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { useShortcut } from '~/ui/shortcuts'
import type { Origin } from './RecordLink'
import type { Neighbor, Neighbors } from './useNeighbors'

/**
 * Links to the records before and after this one in the list that the user came from. Back leads to the list, not to
 * them.
 */
export function NeighborLinks({ neighbors }: { neighbors: Neighbors | undefined }) {
  if (!neighbors) return null
  return (
    <nav aria-label={t`Records of the list`} className="flex print:hidden">
      <NeighborLink to={neighbors.previous} shortcut="k" label={t`Previous record`} icon={ChevronUp} />
      <NeighborLink to={neighbors.next} shortcut="j" label={t`Next record`} icon={ChevronDown} />
    </nav>
  )
}

type LinkProps = { to: Neighbor | undefined; shortcut: string; label: string; icon: LucideIcon }

function NeighborLink({ to, shortcut, label, icon: Icon }: LinkProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const keys = useShortcut(shortcut, label, () => link.current?.click())
  const icon = <Icon aria-hidden className="size-5" />
  if (!to) {
    return (
      <span aria-hidden className={cx(iconButtonClass, 'pointer-events-none opacity-40')}>
        {icon}
      </span>
    )
  }
  const state: Origin = { list: to.list }
  return (
    <WithTip tip={label}>
      <Link
        ref={link}
        to={to.path}
        replace
        state={state}
        aria-label={label}
        aria-keyshortcuts={keys}
        className={iconButtonClass}
      >
        {icon}
      </Link>
    </WithTip>
  )
}
