import { useState } from 'react'
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
  const validate = (rules: Core, form: T) => {
    const errorsFound = check(rules, form)
    if (errorsFound.length === 0) return { values: form, errors: {} }
    const errors: FieldErrors<T> = {}
    // Nested fields have dotted names: `admin_data.email`.
    for (const { field, message } of errorsFound) set(errors, field, { type: 'rule', message })
    return { values: {}, errors }
  }
  return async form => validate(core ?? (await loadCore()), form)
}

/**
 * Shows the field errors of a failed request and focuses the first field. Returns the message to show for the whole
 * form, undefined if the errors belong to fields.
 */
export function showErrors<T extends FieldValues>(
  form: UseFormReturn<T>,
  error: unknown,
  fallback: string,
): string | undefined {
  const problem = problemOf(error)
  if (!problem) return fallback
  const values = form.getValues()
  const fieldErrors = Object.entries(problem.fields).filter(([field]) => get(values, field) !== undefined)
  for (const [index, [field, messages]] of fieldErrors.entries()) {
    form.setError(
      field as FieldPath<T>,
      { type: 'server', message: messages[0] },
      { shouldFocus: index === 0 },
    )
  }
  return fieldErrors.length > 0 ? undefined : problem.message || fallback
}

/** Returns a function that submits a form, and the error to show for the whole form. */
export function useSubmit<T extends FieldValues>(
  form: UseFormReturn<T>,
  failed: string,
  send: (values: T) => Promise<void>,
) {
  const [error, setError] = useState<string>()
  const submit = form.handleSubmit(async values => {
    setError(undefined)
    try {
      await send(values)
    } catch (thrown) {
      setError(showErrors(form, thrown, failed))
    }
  })
  return { submit, error }
}
