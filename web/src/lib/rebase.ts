import type { DefaultValues, FieldValues, KeepStateOptions, UseFormReturn } from 'react-hook-form'

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Gives a form default values, and values on top of them. After `reset`, `setValue` would not show that rows
 * were added to a list or removed from it.
 */
export function resetTo<T extends FieldValues>(
  form: UseFormReturn<T>,
  defaults: DefaultValues<T>,
  values: DefaultValues<T>,
  options?: KeepStateOptions,
) {
  form.reset(defaults, { ...options, keepFieldsRef: true })
  form.reset(values, { ...options, keepFieldsRef: true, keepDefaultValues: true })
}

/** Sets new default values of a form. Fields that the user has changed keep their input. */
export function rebase<T extends FieldValues>(form: UseFormReturn<T>, defaults: DefaultValues<T>) {
  const before: Record<string, unknown> = form.formState.defaultValues ?? {}
  // A copy, because `reset` writes into lists.
  const values = Object.entries(structuredClone(form.getValues()))
  const changes = values.filter(([name, value]) => !isSame(value, before[name]))
  const options = { keepErrors: true, keepIsSubmitted: true, keepSubmitCount: true, keepTouched: true }
  resetTo(form, defaults, { ...defaults, ...Object.fromEntries(changes) }, options)
}
