import { ArrowDownLeft, ArrowRightLeft, ArrowUpRight } from 'lucide-react'
import type { Direction as Way } from '~/core'
import { directionNames } from '~/lib/words'
import { cx } from '~/ui/cx'

const looks = {
  Out: { icon: ArrowUpRight, look: 'text-accent-text' },
  In: { icon: ArrowDownLeft, look: 'text-success' },
  Brokered: { icon: ArrowRightLeft, look: 'text-muted' },
}

/** Which way a vehicle of an agreement goes, as an icon and a word. */
export function Direction({ way, className }: { way: Way; className?: string }) {
  const { icon: Icon, look } = looks[way]
  return (
    <span className={cx('inline-flex items-center gap-1.5 text-xs font-semibold', look, className)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {directionNames[way]}
    </span>
  )
}
