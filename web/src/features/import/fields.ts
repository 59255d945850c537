import { core } from '~/core'
import { textOf } from '~/language'
import { once } from '~/lib/once'

/** Returns a column's name as it is shown: that of a column without a header in the user's language. */
export const columnTitle = (column: string) => textOf(core.columnTitle(column))

/** The fields to which a column can be mapped, including "Do not import", as choices of a select. */
export const fieldChoices = once(() =>
  core.modelColumns().map(({ value, label }) => ({ value, label: textOf(label) })),
)
