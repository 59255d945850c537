import { Switch } from '@base-ui/react/switch'
import { useId } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'

type Props<T extends FieldValues> = {
  control: Control<T>
  name: FieldPath<T>
  label: string
  /** What being on or off means. */
  help: string
  /** Can't be changed; the help says why. */
  off?: boolean
}

/** A switch in a form. */
export function SwitchField<T extends FieldValues>({ control, name, label, help, off }: Props<T>) {
  const { field } = useController({ control, name })
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
      <Switch.Root
        ref={field.ref}
        checked={field.value === true}
        readOnly={off}
        onCheckedChange={field.onChange}
        onBlur={field.onBlur}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-help`}
        className="relative inline-flex h-6 w-11 shrink-0 cursor-pointer items-center rounded-full border border-edge bg-subtle px-0.5 transition-colors touch:my-2.5 data-checked:border-fill data-checked:bg-fill data-readonly:cursor-not-allowed data-readonly:opacity-55"
      >
        <Switch.Thumb className="size-4.5 meter rounded-full bg-edge transition-transform data-checked:translate-x-5 data-checked:bg-on-fill" />
      </Switch.Root>
    </div>
  )
}
