import { useEffect, useState } from 'react'
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
import { messageOf, messagesOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'

/** The type of an error that a rule in core has found. */
const RULE = 'rule'

/** Returns a react-hook-form resolver that validates with the rules in core. */
export function createResolver<T extends FieldValues>(
  check: (core: Core, form: T) => FieldError[],
): Resolver<T> {
  const validate = (rules: Core, form: T) => {
    const errorsFound = check(rules, form)
    if (errorsFound.length === 0) return { values: form, errors: {} }
    const errors: FieldErrors<T> = {}
    // `set` creates nested errors from dotted names such as `admin_data.email`.
    for (const { field, message } of errorsFound) set(errors, field, { type: RULE, message: textOf(message) })
    return { values: {}, errors }
  }
  return async form => validate(core ?? (await loadCore()), form)
}

/**
 * Validates the fields with a validation error again on each change, because a rule can depend on several fields.
 * Errors of the server stay, because they are about a value that is still the same.
 */
export function useRevalidation<T extends FieldValues>(form: UseFormReturn<T>) {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ errors }) {
          const names = brokenFields(errors ?? {})
          if (names.length > 0) void form.trigger(names as FieldPath<T>[])
        },
      }),
    [form],
  )
}

/** Returns the names of the fields that break a rule, dotted if they are nested. */
const brokenFields = (errors: object, parent = ''): string[] =>
  Object.entries(errors).flatMap(([key, error]) => {
    if (!error || typeof error !== 'object') return []
    if (typeof error.type !== 'string') return brokenFields(error, `${parent}${key}.`)
    // The error of a whole list is in `root`.
    return error.type === RULE ? [`${parent}${key}`.replace(/\.root$/, '')] : []
  })

/**
 * Shows the field errors of a failed request and focuses the first field. Returns the message to show for the whole
 * form, undefined if the errors belong to fields.
 */
export function showErrors<T extends FieldValues>(
  form: UseFormReturn<T>,
  error: unknown,
  fallback: string,
): string | undefined {
  if (!problemOf(error)) return fallback
  const values = form.getValues()
  const fieldErrors = new Map<string, string>()
  for (const message of messagesOf(error)) {
    const { field } = message
    if (field && !fieldErrors.has(field) && get(values, field) !== undefined)
      fieldErrors.set(field, textOf(message))
  }
  for (const [index, [field, message]] of [...fieldErrors].entries()) {
    form.setError(field as FieldPath<T>, { type: 'server', message }, { shouldFocus: index === 0 })
  }
  return fieldErrors.size > 0 ? undefined : messageOf(error, fallback)
}

/**
 * Returns the form's submit handler, the error to show for the whole form, and a function that removes it. `failed` is
 * the message for an error that has none.
 */
export function useSubmit<T extends FieldValues>(
  form: UseFormReturn<T>,
  failed: string,
  send: (values: T) => Promise<void>,
) {
  const [error, setError] = useState<string>()
  const clearError = () => setError(undefined)
  const submit = form.handleSubmit(async values => {
    clearError()
    try {
      await send(values)
    } catch (thrown) {
      setError(showErrors(form, thrown, failed))
    }
  }, clearError)
  return { submit, error, clearError }
}
