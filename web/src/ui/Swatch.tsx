import { Check } from 'lucide-react'
import { core } from '~/core'
import { cx } from './cx'

/** A round patch of a colour; its mark is in the shade that can be read on it. An ornament: its name stands beside it. */
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
