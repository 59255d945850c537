import {
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  set,
  type UseFormReturn,
} from 'react-hook-form'
import { type Core, core, type FieldError, loadCore } from '~/core'
import { problemOf } from './problem'

/** Lets a form be checked by the rules of core: react-hook-form asks, core answers field by field. */
export function checkedBy<T extends FieldValues>(check: (core: Core, form: T) => FieldError[]): Resolver<T> {
  const answer = (rules: Core, form: T) => {
    const broken = check(rules, form)
    if (broken.length === 0) return { values: form, errors: {} }
    const errors: FieldErrors<T> = {}
    // A field of a part of the form is named with a dot: `admin_data.email`.
    for (const { field, message } of broken) set(errors, field, { type: 'rule', message })
    return { values: {}, errors }
  }
  return async form => answer(core ?? (await loadCore()), form)
}

/**
 * Shows a refusal beside the fields that it names, and focuses the first of them.
 * Gives the sentence that belongs to no field of this form, if there is one.
 */
export function showRefusal<T extends FieldValues>(
  form: UseFormReturn<T>,
  error: unknown,
  otherwise: string,
): string | undefined {
  const problem = problemOf(error)
  if (!problem) return otherwise
  const values = form.getValues()
  const named = Object.entries(problem.fields).filter(([field]) => get(values, field) !== undefined)
  for (const [index, [field, sentences]] of named.entries()) {
    form.setError(
      field as FieldPath<T>,
      { type: 'server', message: sentences[0] },
      { shouldFocus: index === 0 },
    )
  }
  return named.length > 0 ? undefined : problem.message || otherwise
}
