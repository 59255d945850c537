import { Check, Minus } from 'lucide-react'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'ref'> & {
  ref?: (input: HTMLInputElement | null) => void
  /** Neither ticked nor empty: some of what it stands for is, and some isn't. */
  mixed?: boolean
}

/** The box of a checkbox alone; whoever uses it names it. */
export function Tick({ ref, mixed = false, ...input }: Props) {
  const mark = 'pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-on-fill'
  return (
    <span className="relative inline-flex">
      <input
        {...input}
        // The browser clears it at every click, and no attribute says it.
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
