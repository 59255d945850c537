import { t } from '@lingui/core/macro'
import { CheckboxInput } from '~/ui/CheckboxInput'

export const selectLabel = (name: string) => t`Select ${name}`

type Props = {
  label: string
  checked: boolean
  mixed?: boolean
  /** Called with the change event. In a table, Shift selects all rows between the last clicked one and this one. */
  onChange: (event: unknown) => void
}

/** The checkbox that selects a row. It is on top of a link or toggle that covers the row. */
export function SelectBox({ label, ...input }: Props) {
  return (
    <span className="relative z-1 inline-flex align-middle">
      <CheckboxInput aria-label={label} {...input} />
    </span>
  )
}
