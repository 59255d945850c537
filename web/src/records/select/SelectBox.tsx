import { t } from '@lingui/core/macro'
import { CheckboxInput } from '~/ui/CheckboxInput'

export const selectLabel = (name: string) => t`Select ${name}`

type Props = {
  label: string
  checked: boolean
  mixed?: boolean
  /** In a table, the handler selects the rows from the one clicked last to this one if Shift is held. */
  onChange: (event: unknown) => void
}

/** The checkbox of a row, above a link or toggle that covers the row. */
export function SelectBox({ label, ...input }: Props) {
  return (
    <span className="relative z-1 inline-flex align-middle">
      <CheckboxInput aria-label={label} {...input} />
    </span>
  )
}
