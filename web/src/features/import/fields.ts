import { core } from '~/core'
import { textOf } from '~/language'
import { once } from '~/lib/once'

/** The fields to which a column can be mapped, including "Do not import", as choices of a select. */
export const fieldChoices = once(() =>
  core.modelColumns().map(({ value, label }) => ({ value, label: textOf(label) })),
)
