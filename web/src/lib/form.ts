import type { FieldErrors, FieldPath, FieldValues, Resolver, UseFormReturn } from 'react-hook-form'
import { type Core, core, type FieldError, loadCore } from '~/core'
import { problemOf } from './problem'

/** Lets a form be checked by the rules of core: react-hook-form asks, core answers field by field. */
export function checkedBy<T extends FieldValues>(check: (core: Core, form: T) => FieldError[]): Resolver<T> {
  const answer = (rules: Core, form: T) => {
    const broken = check(rules, form)
    if (broken.length === 0) return { values: form, errors: {} }
    const errors = Object.fromEntries(broken.map(e => [e.field, { type: 'rule', message: e.message }]))
    return { values: {}, errors: errors as FieldErrors<T> }
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
  const known = Object.keys(form.getValues())
  const named = Object.entries(problem.fields).filter(([field]) => known.includes(field))
  for (const [index, [field, sentences]] of named.entries()) {
    form.setError(
      field as FieldPath<T>,
      { type: 'server', message: sentences[0] },
      { shouldFocus: index === 0 },
    )
  }
  return named.length > 0 ? undefined : problem.message || otherwise
}
