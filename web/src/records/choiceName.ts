import { nameSets } from '~/lib/words'
import { kinds } from './kinds'

const sets = [...nameSets, ...[...kinds.values()].flatMap(({ choiceNames }) => choiceNames ?? [])]

/** Returns the names of a choice field's values, of which `choices` are all; undefined if they have none. */
export const namesOf = (choices: readonly string[]): Record<string, string> | undefined =>
  sets.find(names => Object.keys(names).length === choices.length && choices.every(choice => choice in names))

/**
 * Returns the name of a value of a choice field, of which `choices` are all values. Two fields may have different names
 * for the same value, such as `Agency`. A value without a name, such as a unit of length, is returned as it is.
 */
export const choiceName = (value: string, choices: readonly string[]) => namesOf(choices)?.[value] ?? value
