import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '~/ui/cx'
import type { Expand } from './columns'

type Props = {
  id: string
  /** Prefix of the panels' element ids. */
  panels: string
  expand: Pick<Expand<never>, 'id' | 'onToggle'>
  children: ReactNode
}

/** A button that covers the whole row and expands or collapses it. */
export function RowToggle({ id, panels, expand, children }: Props) {
  const isOpen = id === expand.id
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? `${panels}${id}` : undefined}
      onClick={() => expand.onToggle(id)}
      className="flex max-h-none! max-w-full min-w-0 items-center gap-2.5 rounded text-left after:absolute after:inset-0"
    >
      <ChevronRight
        aria-hidden
        className={cx('size-4 shrink-0 text-muted transition-[rotate]', isOpen && 'rotate-90')}
      />
      <span className="min-w-0 truncate">{children}</span>
    </button>
  )
}
