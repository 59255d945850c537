import { type KeyboardEvent, useEffect } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

/** Validates the password confirmation while typing: as soon as it can't match any more, and until it does. */
export function usePasswordConfirmation<T extends FieldValues>(
  form: UseFormReturn<T>,
  password: FieldPath<T>,
  repetition: FieldPath<T>,
) {
  useEffect(() => {
    const look = ({ name, values }: { name?: string; values: T }) => {
      const [first, second] = [String(values[password]), String(values[repetition])]
      const mayBecome = name === repetition && first.startsWith(second)
      if (second && (!mayBecome || form.getFieldState(repetition).invalid)) void form.trigger(repetition)
    }
    return form.subscribe({ formState: { values: true }, callback: look })
  }, [form, password, repetition])
}

/** With a disabled submit button, Enter doesn't submit. This key handler shows the validation errors instead. */
export const showErrorsOnEnter =
  <T extends FieldValues>(form: UseFormReturn<T>) =>
  ({ key, target }: KeyboardEvent) => {
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || form.formState.isValid) return
    void form.trigger(undefined, { shouldFocus: true })
  }
