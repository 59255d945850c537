import { useEffect, useState } from 'react'
import type { DefaultValues, UseFormReturn } from 'react-hook-form'
import type { CustomerSummary } from '~/core'
import { rebase } from '~/lib/rebase'
import { useRecord } from './record'

type Numbered = { socialSecurityNumber: string }

/**
 * Brings the stored social security number into the form of a customer. Nobody waits for it: a number that nobody touched
 * is not sent, so that the server keeps it, even where it could not be loaded.
 */
export function useStoredNumber<T extends Numbered>(
  customer: CustomerSummary | undefined,
  version: number | undefined,
  form: UseFormReturn<T>,
) {
  const { isAsked, outcome, retry } = useRecord(customer, version)
  const [loaded, setLoaded] = useState('')
  const number = outcome?.ok ? outcome.value.socialSecurityNumber : undefined
  useEffect(() => {
    if (number === undefined) return
    rebase(form, { ...form.formState.defaultValues, socialSecurityNumber: number } as DefaultValues<T>)
    setLoaded(number)
  }, [form, number])
  return {
    /** What the field holds while nobody has touched it; absent where there is no stored number. */
    stored: isAsked ? loaded : undefined,
    isLoading: isAsked && !outcome,
    isFailed: outcome?.ok === false,
    retry,
  }
}
