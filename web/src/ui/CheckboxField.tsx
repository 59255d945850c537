import { Checkbox } from '@base-ui/react/checkbox'
import { Check } from 'lucide-react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'

type Props<T extends FieldValues> = { control: Control<T>; name: FieldPath<T>; label: string }

/** A box to tick, with its label beside it. */
export function CheckboxField<T extends FieldValues>({ control, name, label }: Props<T>) {
  const { field } = useController({ control, name })
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is Base UI's checkbox inside.
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 select-none touch:min-h-11">
      <Checkbox.Root
        checked={field.value === true}
        onCheckedChange={field.onChange}
        onBlur={field.onBlur}
        className="flex size-4.5 items-center justify-center rounded border border-edge bg-card transition-colors hover:border-ink data-checked:border-fill data-checked:bg-fill"
      >
        <Checkbox.Indicator className="text-on-fill">
          <Check aria-hidden className="size-3.5" strokeWidth={3} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      {label}
    </label>
  )
}
