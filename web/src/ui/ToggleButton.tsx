import type { ReactNode } from 'react'

type Props = { isOn: boolean; onClick: () => void; className: string; children: ReactNode }

/** A button that switches something on and off, and announces its state. */
export function ToggleButton({ isOn, ...button }: Props) {
  return <button type="button" aria-pressed={isOn} {...button} />
}
