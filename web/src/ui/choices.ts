import type { Choice } from './Select'

/** Returns the choices of a select for these values, labelled with their names. By default, all that have a name. */
export const choicesOf = <V extends string>(
  names: Record<V, string>,
  values: readonly V[] = Object.keys(names) as V[],
): Choice<V>[] => values.map(value => ({ value, label: names[value] }))
