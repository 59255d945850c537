import { t } from '@lingui/core/macro'
import { CheckboxInput } from '~/ui/CheckboxInput'
import { cx } from '~/ui/cx'

export const selectLabel = (name: string) => t`Select ${name}`

type Props = {
  label: string
  checked: boolean
  mixed?: boolean
  /** A tap anywhere on the row selects it. */
  coversRow?: boolean
  /** Called with the change event. In a table, Shift selects all rows between the last clicked one and this one. */
  onChange: (event: unknown) => void
}

/** The checkbox that selects a row. It is on top of a link or toggle that covers the row. */
export function SelectBox({ label, coversRow, ...input }: Props) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label only makes the target of the input larger.
    <label
      className={cx(
        'inline-flex align-middle',
        coversRow
          ? 'after:absolute after:inset-0 after:z-1'
          : 'relative z-1 touch:after:absolute touch:after:-inset-3.5',
      )}
    >
      <span className="relative z-2 inline-flex">
        <CheckboxInput aria-label={label} {...input} />
      </span>
    </label>
  )
}
