import { type KeyboardEvent, useEffect } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * Validates a repeated password while it is typed: shows the error once it can't match any more, and hides it when it
 * does.
 */
export function usePasswordConfirmation<T extends FieldValues>(
  form: UseFormReturn<T>,
  password: FieldPath<T>,
  confirmation: FieldPath<T>,
) {
  useEffect(() => {
    const validate = ({ name, values }: { name?: string; values: T }) => {
      const [first, second] = [String(values[password]), String(values[confirmation])]
      const canStillMatch = name === confirmation && first.startsWith(second)
      if (second && (!canStillMatch || form.getFieldState(confirmation).invalid))
        void form.trigger(confirmation)
    }
    return form.subscribe({ formState: { values: true }, callback: validate })
  }, [form, password, confirmation])
}

/** With a disabled submit button, Enter doesn't submit. This key handler shows the validation errors instead. */
export const showErrorsOnEnter =
  <T extends FieldValues>(form: UseFormReturn<T>) =>
  ({ key, target }: KeyboardEvent) => {
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || form.formState.isValid) return
    void form.trigger(undefined, { shouldFocus: true })
  }
