import { type ComponentProps, useId } from 'react'
import { CheckboxInput } from './CheckboxInput'

export function Checkbox({ label, ...input }: ComponentProps<typeof CheckboxInput> & { label: string }) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 select-none touch:min-h-touch"
    >
      <CheckboxInput id={id} {...input} />
      {label}
    </label>
  )
}
