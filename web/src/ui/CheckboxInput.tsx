import { Check, Minus } from 'lucide-react'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'ref'> & {
  ref?: (input: HTMLInputElement | null) => void
  /** The checkbox is shown as indeterminate, because only some of the items that it stands for are selected. */
  mixed?: boolean
}

/** A checkbox input without a visible label. The caller provides its accessible name. */
export function CheckboxInput({ ref, mixed = false, ...input }: Props) {
  // Forced-colors mode replaces the fill below, but not the colour of an <svg>.
  const mark =
    'pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-on-fill forced-colors:text-[CanvasText]'
  return (
    <span className="relative inline-flex">
      <input
        {...input}
        // Set on each render: `indeterminate` has no HTML attribute, and browsers reset it on each click.
        ref={element => {
          if (element) element.indeterminate = mixed
          ref?.(element)
        }}
        type="checkbox"
        className="peer size-4.5 cursor-pointer appearance-none rounded border border-edge bg-card transition-colors checked:border-fill checked:bg-fill indeterminate:border-fill indeterminate:bg-fill hover:border-ink aria-invalid:border-danger disabled:cursor-default disabled:hover:border-edge disabled:checked:border-edge disabled:checked:bg-edge disabled:indeterminate:border-edge disabled:indeterminate:bg-edge"
      />
      <Check aria-hidden strokeWidth={3} className={`${mark} peer-checked:block peer-indeterminate:hidden`} />
      <Minus aria-hidden strokeWidth={3} className={`${mark} peer-indeterminate:block`} />
    </span>
  )
}
