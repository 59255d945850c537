import { type KeyboardEvent, useEffect } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * Lets a password's repetition be checked while it is typed: as soon as it can't become the password any more, and then
 * until it is right.
 */
export function useRepetition<T extends FieldValues>(
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

/** While its button is off a form isn't submitted by Enter; then Enter says why. */
export const sayWhyOff =
  <T extends FieldValues>(form: UseFormReturn<T>) =>
  ({ key, target }: KeyboardEvent) => {
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || form.formState.isValid) return
    void form.trigger(undefined, { shouldFocus: true })
  }
