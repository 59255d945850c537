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

/** Returns a react-hook-form resolver that validates with the rules in core. */
export function createResolver<T extends FieldValues>(
  check: (core: Core, form: T) => FieldError[],
): Resolver<T> {
  const answer = (rules: Core, form: T) => {
    const broken = check(rules, form)
    if (broken.length === 0) return { values: form, errors: {} }
    const errors: FieldErrors<T> = {}
    // Nested fields have dotted names: `admin_data.email`.
    for (const { field, message } of broken) set(errors, field, { type: 'rule', message })
    return { values: {}, errors }
  }
  return async form => answer(core ?? (await loadCore()), form)
}

/**
 * Shows the field errors of a failed request and focuses the first field. Returns the message to show for the whole
 * form, undefined if the errors belong to fields.
 */
export function showErrors<T extends FieldValues>(
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
