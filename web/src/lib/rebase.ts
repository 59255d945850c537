import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  get,
  type UseFormReturn,
} from 'react-hook-form'

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Sets new default values of a form. Fields that the user has changed keep their input. */
export function rebase<T extends FieldValues>(form: UseFormReturn<T>, defaults: DefaultValues<T>) {
  const before: Record<string, unknown> = form.formState.defaultValues ?? {}
  const unchanged = Object.entries(form.getValues()).filter(([name, value]) => isSame(value, before[name]))
  form.resetDefaultValues(defaults)
  for (const [name] of unchanged) {
    form.setValue(name as FieldPath<T>, get(defaults, name), { shouldDirty: true })
  }
}
