import { Check } from 'lucide-react'
import type { ComponentProps } from 'react'

/** A box to tick, with its label beside it. */
export function Checkbox({ label, ...input }: Omit<ComponentProps<'input'>, 'type'> & { label: string }) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 select-none touch:min-h-11">
      <span className="relative inline-flex">
        <input
          {...input}
          type="checkbox"
          className="peer size-4.5 cursor-pointer appearance-none rounded border border-edge bg-card transition-colors checked:border-fill checked:bg-fill hover:border-ink"
        />
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-on-fill peer-checked:block"
        />
      </span>
      {label}
    </label>
  )
}
