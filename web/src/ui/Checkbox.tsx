import { type ComponentProps, useId } from 'react'
import { Tick } from './Tick'

export function Checkbox({ label, ...input }: ComponentProps<typeof Tick> & { label: string }) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 select-none touch:min-h-11"
    >
      <Tick id={id} {...input} />
      {label}
    </label>
  )
}
