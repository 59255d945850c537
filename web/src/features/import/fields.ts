import { core } from '~/core'
import { textOf } from '~/language'
import { once } from '~/lib/once'

/** The fields that a column can be mapped to, as choices of a menu. */
export const fieldChoices = once(() =>
  core.modelColumns().map(({ value, label }) => ({ value, label: textOf(label) })),
)
