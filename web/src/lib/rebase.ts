import type { DefaultValues, FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form'

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Sets new default values of a form. Fields that the user has changed keep their input. */
export function rebase<T extends FieldValues>(form: UseFormReturn<T>, defaults: DefaultValues<T>) {
  const before: Record<string, unknown> = form.formState.defaultValues ?? {}
  const typed = Object.entries(form.getValues()).filter(([name, value]) => !isSame(value, before[name]))
  form.reset(defaults, {
    keepFieldsRef: true,
    keepErrors: true,
    keepIsSubmitted: true,
    keepSubmitCount: true,
    keepTouched: true,
  })
  for (const [name, value] of typed) {
    form.setValue(name as FieldPath<T>, value as FieldPathValue<T, FieldPath<T>>, { shouldDirty: true })
  }
}
