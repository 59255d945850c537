import { core } from '~/core'
import { customerTypeNames } from '~/lib/words'

/** Returns the types of customers as choices of a select. */
export const typeChoices = () =>
  core.customerTypes().map(type => ({ value: type, label: customerTypeNames[type] }))
