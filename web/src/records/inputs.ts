/**
 * Returns a record's values of these fields as the texts that a form's inputs have; without a record, those of the form
 * of a new record, which are empty except for `initial`. Numbers are texts, too: core parses them without rounding.
 */
export const inputsOf = <R extends object, N extends keyof R & string>(
  names: readonly N[],
  record: R | undefined,
  initial: Partial<Record<N, string>> = {},
) =>
  Object.fromEntries(
    names.map(name => [name, String((record ? record[name] : initial[name]) ?? '')]),
  ) as Record<N, string>
