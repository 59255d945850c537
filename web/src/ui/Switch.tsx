import { Switch as Base } from '@base-ui/react/switch'
import { type Ref, useId } from 'react'

type Props = {
  label: string
  /** Explains what on and off mean. */
  help: string
  checked: boolean
  onChange: (checked: boolean) => void
  onBlur?: () => void
  /** The switch can't be changed; `help` says why. */
  ariaDisabled?: boolean
  ref?: Ref<HTMLElement>
}

export function Switch({ label, help, checked, onChange, onBlur, ariaDisabled, ref }: Props) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <span className="grid min-w-0 gap-0.5">
        <span id={`${id}-label`} className="font-medium">
          {label}
        </span>
        <span id={`${id}-help`} className="text-muted">
          {help}
        </span>
      </span>
      <Base.Root
        ref={ref}
        checked={checked}
        readOnly={ariaDisabled}
        onCheckedChange={onChange}
        onBlur={onBlur}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-help`}
        className="relative inline-flex h-6 w-11 shrink-0 cursor-pointer items-center rounded-full border border-edge bg-subtle px-0.5 transition-colors touch:my-2.5 data-checked:border-fill data-checked:bg-fill data-readonly:cursor-not-allowed data-readonly:opacity-55"
      >
        <Base.Thumb className="size-4.5 meter rounded-full bg-edge transition-transform data-checked:translate-x-5 data-checked:bg-on-fill" />
      </Base.Root>
    </div>
  )
}
