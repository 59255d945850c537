import { t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '~/ui/cx'
import type { Expand } from './columns'

type Props = {
  id: string
  /** The record's name. The button's own name is another one than that of the link beside it. */
  name: string
  /** Prefix of the element ids of the rows' detail panels. */
  panelIdPrefix: string
  expand: Pick<Expand<never>, 'id' | 'onToggle'>
  children: ReactNode
}

/**
 * A button that covers a whole row, and expands or collapses it. A link in the row's first cell is above the button.
 */
export function RowToggle({ id, name, panelIdPrefix, expand, children }: Props) {
  const isOpen = id === expand.id
  return (
    <div className="flex max-w-full min-w-0 items-center gap-2.5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${panelIdPrefix}${id}` : undefined}
        aria-label={t`Details of ${name}`}
        onClick={() => expand.onToggle(id)}
        className="-m-2 rounded p-2 after:absolute after:inset-0"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-4 shrink-0 text-muted transition-[rotate]', isOpen && 'rotate-90')}
        />
      </button>
      <span className="relative min-w-0 truncate">{children}</span>
    </div>
  )
}
