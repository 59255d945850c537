import { core } from '~/core'
import { customerTypeNames } from '~/lib/words'

/** Returns the types to choose from. */
export const typeChoices = () =>
  core.customerTypes().map(type => ({ value: type, label: customerTypeNames[type] }))
