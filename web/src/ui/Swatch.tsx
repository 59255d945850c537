import { Check } from 'lucide-react'
import { core } from '~/core'
import { cx } from './cx'

/**
 * A round colour sample, with a check mark if chosen. Hidden from screen readers, because the colour's name is
 * displayed next to it.
 */
export function Swatch({ color, isChosen }: { color: string; isChosen: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        'swatch flex size-7 shrink-0 items-center justify-center rounded-full',
        isChosen && 'ring-2 ring-ink ring-offset-2 ring-offset-card',
      )}
      style={{ backgroundColor: color, color: core.shades(color, false).onBrand }}
    >
      {isChosen && <Check strokeWidth={3} className="size-4" />}
    </span>
  )
}
