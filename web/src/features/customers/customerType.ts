import { core } from '~/core'
import { customerTypeNames } from '~/lib/words'
import { choicesOf } from '~/ui/choices'

/** Returns the types of customers as choices of a select. */
export const typeChoices = () => choicesOf(customerTypeNames, core.customerTypes())
